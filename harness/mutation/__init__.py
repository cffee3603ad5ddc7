"""Planting defects into a plugin's source, one at a time, and reporting those that its cases do not notice."""
