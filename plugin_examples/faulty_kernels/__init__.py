"""Plugins with one fault each inside a kernel, where compute-sanitizer alone sees it."""
