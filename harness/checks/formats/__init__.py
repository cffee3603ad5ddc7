"""Format queries: combinations, dialogues, aliasing, capabilities."""
