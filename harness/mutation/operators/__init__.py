"""Define the kinds of defects: one function for each, in a module for each subject."""
