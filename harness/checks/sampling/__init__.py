"""Which data and shapes a check takes, and what results are expected."""
