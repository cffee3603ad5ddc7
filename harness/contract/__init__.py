"""Define rules, findings and verdicts: values that need only the standard library and msgspec."""
