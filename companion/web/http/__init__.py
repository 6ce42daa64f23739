"""HTTP itself: limits, security headers, compression. Knows nothing of what is at a table."""
