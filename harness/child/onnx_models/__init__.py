"""Cases from the nodes of an ONNX model."""
