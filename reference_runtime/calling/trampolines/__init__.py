"""What the bindings do around a callback: its arguments, its answer, and what becomes of an exception."""
