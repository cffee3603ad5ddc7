"""Define the error for a wrong request of the user; each frontend shows it in its own form."""

from __future__ import annotations


class UsageError(ValueError):
    """A usage error; each argument is a line that says what to change."""

    def __str__(self) -> str:
        """Return the lines."""
        return "\n".join(map(str, self.args))
