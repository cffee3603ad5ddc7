"""Rules about applications that call TensorRT."""
