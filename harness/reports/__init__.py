"""Write the reports of a run, one module for each format."""
