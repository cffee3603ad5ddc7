"""The states that a plugin goes through, and comparing plugins in them."""
