"""Witnesses of the family: aliasing."""
