"""Watch, limit and end Linux processes, read their output, and remove their leftovers; find GPUs."""
