"""Run a program that uses plugins once, and make cases of its uses."""
