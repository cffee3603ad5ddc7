"""The command trt-conformance."""
