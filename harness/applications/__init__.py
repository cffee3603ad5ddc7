"""Judge applications: run a user's function that builds engines and infers, and record all its calls."""
