"""Ask for the formats and types that a plugin accepts, in any order, and for its aliases."""
