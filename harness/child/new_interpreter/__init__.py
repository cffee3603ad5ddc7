"""Ask new interpreters: each imports the user's module anew and answers one request."""
