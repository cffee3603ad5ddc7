"""The graph of a network: tensors, layers, and the facts inferred about them."""
