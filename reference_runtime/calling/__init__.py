"""All calls from the runtime to user code.

`lifecycle` has their legal order, and `gate` makes them. `callbacks` has the effects of failures, and `trampolines` the
functions that call each method. `adapters` choose the methods for a plugin's interface.
"""
