"""Fuzzing: examples drawn by Hypothesis in pytest's process, judged in the child, and shrunk where one fails."""
