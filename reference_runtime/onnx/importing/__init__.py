"""Make a network from an ONNX model, node by node, as TensorRT's parser does."""
