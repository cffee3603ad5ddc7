"""Witnesses of the family: configuration."""
