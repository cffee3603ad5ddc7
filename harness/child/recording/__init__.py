"""Programs that create plugins: run once, with what they do to plugins written down as cases."""
