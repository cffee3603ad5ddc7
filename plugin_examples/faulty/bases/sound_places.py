"""A table with places for values, for witnesses whose state is in another module: it counts without a lock."""

TABLE = {}
COUNT = [0]


def taken(value):
    """Put a value into the next place, and return it."""
    place = COUNT[0]
    TABLE[place] = value
    COUNT[0] = place + 1
    return place
