"""Plugins as a user would write them: each imports ``tensorrt``, and no module of this project."""
