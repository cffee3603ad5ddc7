"""What a rule, a finding and a verdict are: values that need only the standard library."""
