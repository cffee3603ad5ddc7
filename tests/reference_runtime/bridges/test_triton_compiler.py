"""Triton's compiler on the host device."""

import types

import pytest

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.bridges import triton_compiler


def test_nothing_is_compiled_without_a_gpu():
    compiler = types.SimpleNamespace(compile=len)
    triton_compiler.adapt(compiler)
    with pytest.raises(NeedsGpu, match=r"^triton\.compile needs a GPU"):
        compiler.compile("source", target=None)
