"""Run pytest for a certificate, in the process that :mod:`harness.certificate.inner` starts."""

from __future__ import annotations

import signal
from collections.abc import Sequence

import pytest

from harness.process import linux
from harness.process.signals import AsInterrupts


def main(parent: int, arguments: Sequence[str]) -> int:
    """Run pytest in this process, which ends with its parent; return pytest's exit status."""
    try:
        AsInterrupts(signal.SIGINT).hold()
        linux.die_with_parent(parent)
        return int(pytest.main(list(arguments)))
    except KeyboardInterrupt:  # before or after pytest.main, which handles it itself
        return int(pytest.ExitCode.INTERRUPTED)
