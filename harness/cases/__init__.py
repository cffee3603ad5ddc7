"""Hold the cases that users write for their plugins, validate them, and pass them between processes."""
