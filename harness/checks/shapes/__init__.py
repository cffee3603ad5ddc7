"""Which output shapes does the plugin state, at which extents, and does enqueue keep to them?"""
