"""Tests that need a GPU; where none is found they are skipped, and that is the only reason."""

import pytest

from harness.process import gpus


def pytest_collection_modifyitems(items):
    if not gpus.usable():
        for item in items:
            if "/gpu/" in item.nodeid:
                item.add_marker(pytest.mark.skip(reason="CuPy finds no GPU"))


@pytest.fixture
def device():
    """A CUDA device of the reference runtime."""
    from reference_runtime.devices.cuda import CudaDevice  # noqa: PLC0415 - it loads CUDA

    device = CudaDevice()
    yield device
    device.close()


@pytest.fixture
def cupy():
    return pytest.importorskip("cupy")


@pytest.fixture(scope="module", autouse=True)
def closes_what_its_tests_open():
    """Allow what CUDA opens: it keeps devices and threads for the rest of the process."""


@pytest.fixture(autouse=True)
def closes_what_it_opens():
    """Allow what CUDA opens, as above."""
