"""Record the heap memory that a library allocates and frees, without a sanitizer."""
