"""Witnesses of the family: applications."""
