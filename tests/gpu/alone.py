"""Tests that measure the whole GPU, which others must not use meanwhile."""

import os

import pytest

MEASURES_THE_WHOLE_GPU = pytest.mark.skipif(
    "PYTEST_XDIST_WORKER" in os.environ, reason="it measures the memory of the whole GPU: run tests/gpu without -n"
)
