"""The genuine package: tests that need it are skipped where it is not installed, and in no other case."""

import importlib.util

import pytest

from tests.genuine import sides

INSTALLED = importlib.util.find_spec("tensorrt_lean") is not None


@pytest.fixture(scope="session")
def ask():
    """Return a function that returns the outcomes of a program on both sides: (genuine, ours)."""
    if not INSTALLED:
        pytest.skip("the genuine bindings are not installed: pip install --group genuine")
    with sides.both() as asked:
        yield asked
