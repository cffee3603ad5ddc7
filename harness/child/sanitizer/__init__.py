"""Run a plugin under compute-sanitizer."""
