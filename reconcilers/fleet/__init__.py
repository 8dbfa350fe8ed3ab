"""Which servers serve which zones, and how each of them is reached and probed."""
