"""Make cases from the nodes of an ONNX model."""
