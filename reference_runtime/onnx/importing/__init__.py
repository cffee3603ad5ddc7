"""Reading ONNX models: from a model to a network, node by node, as TensorRT's parser goes about it."""
