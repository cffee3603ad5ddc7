"""Read the options of a run from all their sources; each option is declared once."""
