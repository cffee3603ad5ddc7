"""compute-sanitizer around one case: a process of its own runs ``enqueue``, and the tool's report is read."""
