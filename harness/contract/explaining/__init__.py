"""Collect the text of `explain` for a rule: reason, faulty lines, their correction, and a real bug."""
