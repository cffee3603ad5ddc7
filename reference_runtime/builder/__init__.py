"""Build engines; each phase of a build has a module."""
