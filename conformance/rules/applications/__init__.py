"""State the rules about applications that call TensorRT."""
