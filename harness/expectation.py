"""A failure that a user knows and expects."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class ExpectedFailure:
    """A known failure of a rule on a case: the reason with a link, and the fingerprint of what is seen."""

    reason: str
    fingerprint: str
