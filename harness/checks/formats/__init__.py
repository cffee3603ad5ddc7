"""Ask a plugin which types and formats it accepts, for its capabilities, and for aliased inputs."""
