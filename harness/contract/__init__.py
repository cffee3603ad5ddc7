"""What a rule, a finding and a verdict are: values that need nothing but the standard library."""
