"""Witnesses of the family: cloning."""
