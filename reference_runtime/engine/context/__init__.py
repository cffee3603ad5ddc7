"""The execution context: shapes, memory, executions."""
