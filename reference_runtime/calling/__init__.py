"""Contain the only way into user code: lifecycle, gate, callbacks, trampolines."""
