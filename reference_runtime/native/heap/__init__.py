"""Memory of the heap that a library takes and gives back: counted, without a sanitizer."""
