"""Record every call on a plugin's objects during one complete run."""
