"""Ask a plugin for the types and formats that it accepts, its capabilities, and aliased inputs."""
