"""Look at a plugin in ways that observe and never judge."""
