"""Which output shapes does the plugin state, at which dimensions, and does enqueue keep to them?"""
