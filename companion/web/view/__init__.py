"""What pages may know of a table, and how they are drawn."""
