"""Witnesses of the family: capabilities."""
