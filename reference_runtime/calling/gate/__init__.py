"""The gate that every call into user code passes: traced, guarded and counted."""
