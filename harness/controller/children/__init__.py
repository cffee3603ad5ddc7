"""The processes of plugins, as the controller sees them."""
