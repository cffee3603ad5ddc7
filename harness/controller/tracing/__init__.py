"""Asking for the trace of a plugin's life, and reading it."""
