"""Applications as subjects: a user's own build-and-infer function, run with every call watched."""
