"""Sound plugins whose output sizes depend on data."""
