"""Pass data between Python and C++: descriptions of tensors, fields, and memory lent for one call."""
