"""What pytest calls: hooks, items, terminal."""
