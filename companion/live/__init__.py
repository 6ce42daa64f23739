"""Who is listening to which table."""
