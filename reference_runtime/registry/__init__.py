"""The plugin registry: creators, and resources that plugins share."""
