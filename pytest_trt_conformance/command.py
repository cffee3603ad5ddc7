"""The command ``trt-conformance``."""

from __future__ import annotations

from pytest_trt_conformance import ours


def main() -> int:
    """Run the command line of this process, and return its exit status."""
    status: int = ours("harness.frontends.cli.main").main()
    return status
