"""``cuda.bindings``: the driver, the runtime and the compiler."""
