"""HTTP itself: limits, security headers, compression. Knows no table."""
