"""What crosses the boundary: descriptions of tensors, fields, and memory that is lent for one call."""
