"""Sound applications that look like faulty ones. ``LOOKS_LIKE`` is the rule that they keep."""
