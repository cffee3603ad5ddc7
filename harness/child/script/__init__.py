"""Write a failing example as a standalone script."""
