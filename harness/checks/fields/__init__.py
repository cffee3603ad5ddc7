"""Plugin fields: creating plugins from them, changing and damaging them."""
