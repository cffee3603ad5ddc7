"""Finding plugins in a module, and cases for those that have none."""
