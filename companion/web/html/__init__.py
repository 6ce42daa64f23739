"""How values become HTML and pictures, each once, and what of a page changes. Knows no table."""
