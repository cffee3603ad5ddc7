"""What a run is about and what it found."""
