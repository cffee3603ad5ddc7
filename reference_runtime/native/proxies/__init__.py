"""Python objects that represent C++ objects: each derives from the interface of a plugin in Python."""
