"""Record a plugin's life."""
