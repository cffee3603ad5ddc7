"""Kernels are told by their mangled names: how they are called, and what they are given."""

import pytest

from reference_runtime.native.cuda.kernels import name_and_parameters


@pytest.mark.parametrize(
    ("mangled", "name", "parameters"),
    [
        ("_Z11scaleKernelPKfPffi", "scaleKernel", ["float const*", "float*", "float", "int"]),
        ("_Z5emptyv", "empty", []),
        ("_ZN2ns4copyIfEEvPKT_PS1_m", "ns::copy<float>", ["float const*", "float*", "unsigned long"]),
        ("plain_c_name", "plain_c_name", []),
    ],
)
def test_a_name_tells_the_parameters(mangled, name, parameters):
    assert name_and_parameters(mangled) == (name, parameters)
