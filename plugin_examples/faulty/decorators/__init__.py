"""Witnesses of the family: decorators."""
