"""The Python API: certify and parametrize_with_rules."""
