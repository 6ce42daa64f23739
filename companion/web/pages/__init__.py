"""The addresses that there are, an area a module."""
