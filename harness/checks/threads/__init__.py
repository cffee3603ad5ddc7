"""Two threads in one plugin, with switches that repeat exactly."""
