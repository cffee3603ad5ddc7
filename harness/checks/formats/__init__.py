"""Ask a plugin which types and formats it accepts, which capabilities it has, and which inputs its outputs alias."""
