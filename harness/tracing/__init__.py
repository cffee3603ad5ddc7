"""What happens in one canonical drive, call by call: recorded in the child, read by pytest's side as plain data."""
