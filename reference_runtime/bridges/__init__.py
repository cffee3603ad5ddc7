"""Stand-ins for array libraries, so that a plugin's own device code runs on the host."""
