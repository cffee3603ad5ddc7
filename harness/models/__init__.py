"""ONNX models that say how plugins are used: their nodes become cases."""
