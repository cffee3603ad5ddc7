"""Define the kinds of defects: one function for each defect, one module for each part of a plugin."""
