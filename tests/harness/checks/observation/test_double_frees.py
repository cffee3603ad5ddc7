"""Handles that are freed though nobody holds them any more."""

import contextlib
import gc

import pytest

from harness.checks.observation.double_frees import wrong_frees
from reference_runtime.bridges import cupy as cp
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, running

CudaError = cp.cuda.runtime.CUDARuntimeError


@pytest.fixture(name="subject")
def a_subject():
    subject = running(Creator(lambda _: Doubler()))
    with use(subject.device):
        yield subject


def test_a_second_free_is_seen_even_if_its_error_is_swallowed(subject):
    address = cp.cuda.runtime.malloc(16)
    with wrong_frees(subject) as sentences:
        cp.cuda.runtime.free(address)
        assert sentences == []
        with contextlib.suppress(CudaError):
            cp.cuda.runtime.free(address)
    assert [sentence for sentence in sentences if "freed a second time" in sentence] == sentences
    assert len(sentences) == 1


def test_a_stream_that_is_destroyed_twice_is_seen(subject):
    stream = cp.cuda.runtime.streamCreate()
    with wrong_frees(subject) as sentences:
        cp.cuda.runtime.streamDestroy(stream)
        with contextlib.suppress(CudaError):
            cp.cuda.runtime.streamDestroy(stream)
    assert len(sentences) == 1


def test_what_a_finaliser_frees_counts(subject):
    class Holder:
        def __init__(self, address):
            self.address, self.circle = address, self

        def __del__(self):
            with contextlib.suppress(CudaError):
                cp.cuda.runtime.free(self.address)

    gc.disable()
    try:
        with wrong_frees(subject) as sentences:
            address = cp.cuda.runtime.malloc(16)
            for _ in range(2):
                Holder(address)
    finally:
        gc.enable()
    assert len(sentences) == 1


def test_other_misuses_are_not_about_freeing(subject):
    with wrong_frees(subject) as sentences, contextlib.suppress(CudaError, RuntimeError):
        cp.cuda.runtime.memset(0x1234, 0, 16)
    assert sentences == []
