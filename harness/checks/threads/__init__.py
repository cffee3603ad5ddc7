"""Run several threads in one plugin, with thread switches that are the same each time."""
