"""Create plugins from fields that are complete, partial, reordered or damaged."""
