"""Objects that the application implements or hands in: allocators, recorders, profilers, streams."""
