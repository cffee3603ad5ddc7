"""Write what a run found, in each format."""
