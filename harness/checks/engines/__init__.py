"""Observe the calls that reach a plugin while an engine or a program is built, loaded and executed."""
