"""Running a plugin under compute-sanitizer."""
