"""Choose data and shapes, and compute the expected results."""
