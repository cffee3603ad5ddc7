"""Sound plugins and programs that witnesses build upon."""
