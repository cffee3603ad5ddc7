"""Objects that the application implements or passes in: allocators, recorders, profilers, streams."""
