"""The bindings' work around a callback: its arguments, its result, and the effect of an exception."""
