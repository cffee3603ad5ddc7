"""Running a plugin on a device: set-up, buffers, calls of enqueue, results."""
