"""Generate the examples of fuzz rules, mostly with strategies of Hypothesis."""
