"""Sound plugins of the implicit-batch interfaces."""
