"""Choose input shapes and data of a case, and compute the expected outputs with its reference."""
