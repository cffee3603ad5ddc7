"""Ask a plugin for its output shapes, as expressions and for concrete dimensions, and evaluate the answers."""
