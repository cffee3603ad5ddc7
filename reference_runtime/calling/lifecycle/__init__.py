"""Define the legal calls in each stage of an object, as tables."""
