"""Observe a plugin in each state of its life, and compare two plugins."""
