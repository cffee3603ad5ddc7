"""Inject defects into a plugin's source, one at a time, and list those that no rule reports."""
