"""What `explain` shows of a rule: reason, faulty lines, their correction, and a real bug."""
