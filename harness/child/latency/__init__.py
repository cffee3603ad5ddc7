"""Measure the latency of enqueue, in the plugin's process."""
