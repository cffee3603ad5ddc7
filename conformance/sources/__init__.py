"""Where TensorRT says what it requires: one module a family of documents."""
