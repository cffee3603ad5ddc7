"""Load a library of plugins: its file's facts, stand-ins for the libraries it needs, and its creators."""
