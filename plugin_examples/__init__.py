"""Plugins as a user would write them: each imports ``tensorrt`` and nothing of this project."""
