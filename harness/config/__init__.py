"""Read options from every place; each is declared once."""
