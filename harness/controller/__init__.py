"""All that runs in pytest's process and does not know pytest."""
