"""The plugin registry."""
