"""The network: its graph, its layers and its public face."""
