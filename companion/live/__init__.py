"""Which device is listening to which table, and what processes call to each other."""
