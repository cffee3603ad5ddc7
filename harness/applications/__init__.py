"""Judge applications: a user's build-and-infer function is run with every call watched."""
