"""Start new interpreters: each imports the user's module again and answers one request."""
