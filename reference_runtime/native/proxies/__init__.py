"""Python objects that stand for C++ ones: each derives from the interface that a plugin in Python would derive from."""
