"""Check that the judged code is the certified code: sources of modules, and the code that judges."""
