"""One adapter for each plugin interface: networks, builders, engines and contexts ask it, and not which one it is."""
