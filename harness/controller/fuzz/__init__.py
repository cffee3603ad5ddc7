"""Searching for failing examples."""
