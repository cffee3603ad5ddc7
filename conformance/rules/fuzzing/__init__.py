"""Rules that judge drawn examples."""
