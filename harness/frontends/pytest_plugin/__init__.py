"""Serve pytest's calls: hooks, items, terminal."""
