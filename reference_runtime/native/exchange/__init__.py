"""Pass data across the boundary: descriptions of tensors, fields, and memory lent for one call."""
