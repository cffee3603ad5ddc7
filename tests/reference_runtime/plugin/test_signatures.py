"""What the decorators refuse when a module is imported: QDP-001 to QDP-004, QDP-006, QDP-007, and a part of QDP-020.

Every refusal is compared with that of NVIDIA's package in tests/genuine/test_decorators.py, word for word.
"""

import numpy as np
import numpy.typing as npt
import pytest

from reference_runtime import plugin as trtp
from reference_runtime.plugin import signatures


def good(x: trtp.TensorDesc, y: trtp.TensorDesc, k: int, w: npt.NDArray[np.float32]) -> tuple[trtp.TensorDesc]:
    return (x.like(),)


KNOWN = signatures.registered(good, lazily=False)


def test_tensors_come_first_and_attributes_have_types():
    assert KNOWN.tensors == ("x", "y")
    assert list(KNOWN.attributes) == ["k", "w"]
    assert KNOWN.kinds == {"k": (True, int), "w": (False, np.float32)}
    assert KNOWN.num_outputs == 1


@pytest.mark.parametrize("plugin_id", ["trt::a", "tensorrt::a", "std::a", "::a", "a.b::c", "a::b.c", "a", "a::b::c"])
def test_names_that_no_plugin_may_have_are_refused(plugin_id):
    with pytest.raises(ValueError):  # noqa: PT011 - two of the texts are Python's own
        trtp.register(plugin_id)(lambda x: x)


def no_types(x, k) -> trtp.TensorDesc: ...
def attribute_first(k: int, x: trtp.TensorDesc) -> trtp.TensorDesc: ...
def attribute_between(x: trtp.TensorDesc, k: int, y: trtp.TensorDesc) -> trtp.TensorDesc: ...
def a_list(x: trtp.TensorDesc, k: list) -> trtp.TensorDesc: ...
def a_default(x: trtp.TensorDesc, k: int = 3) -> trtp.TensorDesc: ...
def a_stream(x: trtp.TensorDesc, stream: int) -> trtp.TensorDesc: ...
def bytes_of_an_image(x: trtp.TensorDesc, w: npt.NDArray[np.uint8]) -> trtp.TensorDesc: ...
def nothing_said(x: trtp.TensorDesc): ...
def a_list_of_outputs(x: trtp.TensorDesc) -> list[trtp.TensorDesc]: ...


@pytest.mark.parametrize(
    "function",
    [
        no_types,
        attribute_first,
        attribute_between,
        a_list,
        a_default,
        a_stream,
        bytes_of_an_image,
        nothing_said,
        a_list_of_outputs,
    ],
)
def test_what_register_cannot_be_is_refused(function):
    with pytest.raises(ValueError):  # noqa: PT011 - the texts are compared with NVIDIA's
        signatures.registered(function, lazily=False)


def run(x, y, w, outputs, stream, tactic): ...
def run_without_tactic(x, y, outputs, stream): ...
def other_order(x, y, w, k, outputs, stream): ...
def stream_first(x, y, stream, outputs): ...
def other_type(x, y, k: float, outputs, stream): ...


def test_impl_takes_a_part_of_the_attributes_and_may_take_the_tactic():
    assert signatures.read_impl(run, KNOWN) == (["w"], True)
    assert signatures.read_impl(run_without_tactic, KNOWN) == ([], False)


@pytest.mark.parametrize("function", [other_order, stream_first, other_type])
def test_what_impl_cannot_be_is_refused(function):
    with pytest.raises(ValueError):  # noqa: PT011 - as above
        signatures.read_impl(function, KNOWN)


def kernel(x, y, outputs, tactic) -> tuple[str, str | bytes, trtp.KernelLaunchParams, trtp.SymIntExprs]: ...
def kernel_unsaid(x, y, outputs, tactic): ...
def kernel_of_three(x, y, outputs, tactic) -> tuple[str, str, trtp.KernelLaunchParams]: ...


def test_aot_impl_says_what_it_returns():
    assert signatures.read_aot_impl(kernel, KNOWN) == []
    for function in (kernel_unsaid, kernel_of_three):
        with pytest.raises(ValueError, match="eturn annotation"):
            signatures.read_aot_impl(function, KNOWN)


def ways(x, y, k, outputs) -> list[trtp.AutoTuneCombination]: ...
def ways_in_a_dict(x, y, k, outputs) -> dict: ...


def test_autotune_says_combinations():
    assert signatures.read_autotune(ways, KNOWN) == ["k"]
    with pytest.raises(ValueError, match="Return types can only be AutoTuneCombination"):
        signatures.read_autotune(ways_in_a_dict, KNOWN)
