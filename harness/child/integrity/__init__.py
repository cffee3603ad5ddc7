"""What is judged is what is certified: sources of modules, and the code that judges."""
