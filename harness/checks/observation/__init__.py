"""Observe the side effects of callbacks: costs, resources that are not freed, changes outside the plugin."""
