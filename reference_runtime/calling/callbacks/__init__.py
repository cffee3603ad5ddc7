"""Callbacks of a plugin, called through the gate; one module an interface."""
