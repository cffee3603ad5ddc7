"""An ONNX model that uses plugins, and the plugins that it uses."""
