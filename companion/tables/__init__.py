"""Tables: who sits where, on which phone, and what was accepted; knows no HTML and no SQL."""
