"""The engine: loaded, inspected, refitted and executed."""
