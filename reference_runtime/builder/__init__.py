"""Building an engine: each phase has its module."""
