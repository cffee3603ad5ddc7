"""The rules of the TensorRT plugin contract and their sources; the harness runs the rules."""
