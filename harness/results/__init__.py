"""Hold the subjects of a run and their results."""
