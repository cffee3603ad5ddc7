"""Sound plugins in C++ that look like faulty ones."""
