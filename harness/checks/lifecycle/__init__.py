"""Observe a plugin in each state between its creation and its destruction, and compare plugins with each other."""
