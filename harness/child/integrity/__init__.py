"""Check that the code that was certified is the code that ran, and that the code that judges is unchanged."""
