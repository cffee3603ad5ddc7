"""The process in which pytest runs for a certificate; :mod:`harness.certificate.inner` starts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.process import linux

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(parent: int, arguments: Sequence[str]) -> int:
    """Run pytest in this process, which ends with its parent."""
    linux.die_with_parent(parent)
    return int(pytest.main(list(arguments)))
