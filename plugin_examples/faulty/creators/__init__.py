"""Witnesses of the family: creators."""
