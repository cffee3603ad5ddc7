"""Generate the examples of fuzz rules, with strategies of Hypothesis."""
