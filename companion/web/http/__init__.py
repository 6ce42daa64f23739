"""HTTP itself: who may ask how often, headers, packing. Knows no table."""
