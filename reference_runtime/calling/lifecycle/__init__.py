"""Which call is legal in which stage of an object, as tables."""
