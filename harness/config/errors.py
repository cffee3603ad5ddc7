"""Define the usage error; each frontend shows it in its own way."""

from __future__ import annotations


class UsageError(ValueError):
    """A usage error; each argument is a line that says what to change."""

    def __str__(self) -> str:
        """Return the lines."""
        return "\n".join(map(str, self.args))
