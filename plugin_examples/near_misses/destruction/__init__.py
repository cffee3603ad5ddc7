"""Sound plugins that look like faults of the family: destruction."""
