"""Hold what a user says of a plugin: cases, and their plain form."""
