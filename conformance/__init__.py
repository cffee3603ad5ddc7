"""The rules of the TensorRT plugin contract, their sources, and nothing that drives or judges."""
