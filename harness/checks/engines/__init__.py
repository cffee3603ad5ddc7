"""Whole engines and programs: built, executed, and what of them reaches the plugin."""
