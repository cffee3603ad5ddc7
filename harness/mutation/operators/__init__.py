"""The kinds of defects: a function for each, in a module for each noun that they are about."""
