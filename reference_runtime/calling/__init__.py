"""The one way into user code: lifecycle, gate, callbacks, trampolines."""
