"""Hold what a run is about and what it found."""
