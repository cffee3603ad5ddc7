"""The error that tells users what they asked for wrongly; each way in shows it in its own form."""

from __future__ import annotations


class UsageError(ValueError):
    """What was asked for makes no sense; each argument is one line that says what to do."""

    def __str__(self) -> str:
        """Return the lines."""
        return "\n".join(map(str, self.args))
