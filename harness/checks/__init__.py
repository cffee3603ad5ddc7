"""Ways of looking at a plugin: each observes and never judges."""
