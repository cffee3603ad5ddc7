"""One adapter for each plugin interface: networks, builders, engines and contexts treat all interfaces alike."""
