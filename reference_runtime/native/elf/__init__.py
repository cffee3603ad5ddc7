"""Read and write shared libraries as files, and find their functions, variables and source lines in memory."""
