"""The three ways to start a run: pytest, Python and the command line."""
