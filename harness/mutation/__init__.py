"""Inject defects into a plugin's source, one at a time, and report those that its cases do not notice."""
