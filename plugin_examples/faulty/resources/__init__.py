"""Witnesses of the family: resources."""
