"""Tables: seats, the phones that hold them, and what was accepted. Knows no HTML and no SQL."""
