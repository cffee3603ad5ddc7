"""Find plugins in a module, and cases for plugins without a case."""
