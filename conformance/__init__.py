"""The rules of the TensorRT plugin contract, their sources, and no code that runs or judges."""
