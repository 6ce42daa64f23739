"""Listeners: which device is listening to which table."""
