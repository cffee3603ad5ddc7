"""Witnesses of the family: workspace."""
