"""Latencies and comparisons of them."""
