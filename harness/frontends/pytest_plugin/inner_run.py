"""The process in which pytest runs for a certificate; :mod:`harness.certificate.inner` starts it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from harness.process import linux


def main(parent: int, arguments: Sequence[str]) -> int:
    """Run pytest in this process, which ends with its parent."""
    linux.die_with_parent(parent)
    return int(pytest.main(list(arguments)))
