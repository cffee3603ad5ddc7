"""What fuzz rules draw from: strategies of Hypothesis."""
