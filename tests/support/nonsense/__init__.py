"""Nonsense that plugins return: what kinds there are, and what the rules make of it."""
