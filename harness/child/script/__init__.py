"""A failing example as a script of its own."""
