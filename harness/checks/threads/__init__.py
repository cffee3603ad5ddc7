"""Run two threads in one plugin, with thread switches that repeat exactly."""
