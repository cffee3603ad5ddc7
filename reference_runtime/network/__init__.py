"""The network: its graph, its layers and the public classes."""
