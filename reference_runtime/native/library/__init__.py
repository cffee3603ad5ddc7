"""Loading a library of plugins: what its file says, stand-ins for what it needs, and its creators."""
