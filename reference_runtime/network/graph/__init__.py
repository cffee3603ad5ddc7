"""The graph of a network: tensors, layers, and what is inferred of them."""
