"""Applications with one planted fault each. ``BREAKS`` is the rule that the application breaks."""
