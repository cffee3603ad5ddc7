"""Run a plugin once or repeatedly, and observe its outputs, buffers, tactics and streams."""
