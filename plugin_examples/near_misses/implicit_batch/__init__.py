"""Sound plugins that look like faults of the family: implicit batch."""
