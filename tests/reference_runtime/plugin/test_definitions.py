import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime import plugin as trtp
from reference_runtime.plugin.definitions import DEFINITIONS
from reference_runtime.registry.registry import get_plugin_registry

REQUEST = trt.QuickPluginCreationRequest
KERNEL = tuple[str, str, trtp.KernelLaunchParams, trtp.SymIntExprs]


@pytest.fixture
def network():
    return trt.Builder(trt.Logger(trt.Logger.ERROR)).create_network()


@pytest.fixture
def x(network):
    return network.add_input("x", trt.float32, (2, 3))


def compile_too():
    @trtp.aot_impl("m::shift")
    def kernel(x, outputs, tactic) -> KERNEL: ...


def test_a_plugin_is_registered_and_named_at_once(shift):
    creator = get_plugin_registry().get_creator("shift", "1", "m")
    assert creator is shift.creator
    assert [(field.name, field.type.name) for field in creator.field_names] == [("addend", "FLOAT64"), ("note", "CHAR")]
    assert trtp.op.m.shift is shift


def test_a_plugin_may_wait_for_its_first_use(x):
    @trtp.register("m::late", lazy_register=True)
    def describe(x: trtp.TensorDesc, k: int) -> trtp.TensorDesc: ...

    assert DEFINITIONS["m::late"].creator is None
    trtp.op.m.late(x, k=3)
    assert get_plugin_registry().get_creator("late", "1", "m") is not None


def test_an_id_is_registered_once_and_before_its_other_functions(shift):
    with pytest.raises(ValueError, match="already has a defintion"):
        trtp.register("m::shift")(shift.register_func)
    for decorator in (trtp.impl, trtp.autotune, trtp.aot_impl):
        with pytest.raises(ValueError, match="is not registered"):
            decorator("m::nobody")(lambda: None)


@pytest.mark.parametrize(
    "given",
    [
        {"addend": 1.5},
        {"note": "n", "addend": 1.5},
        {"addend": 1, "note": "n"},
        {"addend": np.float64(1.5), "note": "n"},
        {"addend": 1.5, "note": "n", "more": 1},
    ],
)
def test_attributes_are_given_all_by_name_in_order_and_of_their_very_type(given, shift, x):
    with pytest.raises(ValueError, match="nexpected"):
        shift(x, **given)


def test_the_plugin_is_made_on_request_and_gets_its_attributes_back(shift, x):
    inputs, shape_inputs, made = shift(x, addend=1.5, note="so")(REQUEST.UNKNOWN)
    assert (inputs, shape_inputs) == ([x], [])
    assert made.attrs == {"addend": 1.5, "note": "so"}
    assert (made.plugin_name, made.plugin_version, made.plugin_namespace) == ("shift", "1", "m")


def test_a_preference_is_wanted_where_there_are_two_implementations(shift, x):
    compile_too()
    make = shift(x, addend=1.5, note="")
    with pytest.raises(ValueError, match="has both AOT and JIT implementations"):
        make(REQUEST.UNKNOWN)
    kinds = {request: type(make(request)[2]).__name__ for request in (REQUEST.PREFER_AOT, REQUEST.PREFER_JIT)}
    assert kinds == {REQUEST.PREFER_AOT: "CompiledPlugin", REQUEST.PREFER_JIT: "RunningPlugin"}


def test_the_network_says_which_implementation_is_wanted(shift, network, x):
    compile_too()
    with pytest.raises(ValueError, match="has both"):
        network.add_plugin(shift(x, addend=1.5, note=""))
    assert network.add_plugin(shift(x, addend=1.5, note=""), aot=False) is not None


@pytest.mark.parametrize("request_", [REQUEST.STRICT_AOT, REQUEST.PREFER_AOT])
def test_what_is_not_there_is_refused_only_if_it_is_insisted_on(request_, shift, x):
    make = shift(x, addend=1.5, note="")
    if request_ == REQUEST.STRICT_AOT:
        with pytest.raises(ValueError, match="AOT implementation requested, but not defined"):
            make(request_)
    else:
        assert type(make(request_)[2]).__name__ == "RunningPlugin"


def test_shape_inputs_are_refused_by_the_network(shift, network, x, capfd):
    sizes = network.add_input("sizes", trt.int32, (2,))
    _, _, made = shift(x, addend=1.5, note="")(REQUEST.UNKNOWN)
    assert network.add_plugin_v3([x], [sizes], made) is None
    assert "a decorated plugin takes no shape inputs" in capfd.readouterr().out
