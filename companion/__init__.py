"""A companion and rules referee for card games that are played with real cards."""

__version__ = "0.1.0"
