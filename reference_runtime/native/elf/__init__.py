"""Shared libraries as files: what one needs and offers, and stand-ins for those that are missing."""
