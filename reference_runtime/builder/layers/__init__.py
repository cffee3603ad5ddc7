"""Building one layer of an engine: a module for each kind of layer."""
