"""Options: one declaration each, read from every place."""
