"""Calls of a plugin's methods through the gate, and their tables of results and failures; one module per interface."""
