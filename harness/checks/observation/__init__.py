"""Observe the side effects of a callback: cost, allocations, leftovers, changes outside the plugin."""
