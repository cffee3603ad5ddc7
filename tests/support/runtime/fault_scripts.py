"""The measured cases that are more than one call: wrong orders, foreign threads, and arguments changed in place.

Each script takes a gate and returns what the table shows. It is found by interface, method and fault.
"""

from __future__ import annotations

import gc
import itertools
import threading

import numpy as np

import reference_runtime as trt
from reference_runtime.calling.trampolines import v2 as trampolines
from reference_runtime.calling.trampolines import v3 as trampolines_v3
from reference_runtime.registry.registry import get_plugin_registry
from reference_runtime.shapes import expressions
from tests.support.runtime import fault_driving as driving
from tests.support.runtime import fault_driving_v3 as driving_v3
from tests.support.runtime.fault_plugins import creator_class, quick_class, raiser, v2_class, v3_class

SCRIPTS = {}


def script(iface, method, fault):
    def keep(function):
        SCRIPTS[iface, method, fault] = function
        return function

    return keep


def v2(attrs=None, **methods):
    return _new(v2_class(attrs), methods)


def v3(attrs=None, **methods):
    return _new(v3_class(attrs), methods)


def _new(cls, methods):
    for name, method in methods.items():
        setattr(cls, name, method)
    return cls()


def boom(*_):
    raise ValueError("boom")


# -- orders -------------------------------------------------------------------------------------------------------

V2, BUILD, RUNTIME = "IPluginV2DynamicExt", "IPluginV3OneBuild", "IPluginV3OneRuntime"


@script(V2, "order", "enqueue_before_configure")
def _(gate):
    return driving.run(gate, v2())


@script(V2, "order", "num_outputs_3_engine_has_1")
def _(gate):
    return driving.configured_run(gate, v2({"num_outputs": 3}))


@script(V2, "order", "num_outputs_unset_enqueue")
def _(gate):
    return driving.configured_run(gate, v2({}))


@script(V2, "order", "configure_raises_then_enqueue")
def _(gate):
    return driving.configured_run(gate, v2(configure_plugin=raiser(ValueError("boom"))))


@script(V2, "order", "configured_2_then_1_input")
def _(gate):
    plugin = v2()
    driving.configure(gate, plugin)
    driving.configure(gate, plugin, 1)
    return driving.run(gate, plugin)


@script(V2, "order", "clone_of_configured_then_enqueue")
def _(gate):
    plugin = v2()
    driving.configure(gate, plugin)
    return driving.run(gate, trampolines.clone(gate, plugin))


@script(RUNTIME, "order", "enqueue_before_on_shape_change")
def _(gate):
    return driving_v3.run_v3(gate, v3())


@script(RUNTIME, "order", "on_shape_change_raises_then_enqueue")
def _(gate):
    plugin = v3(on_shape_change=raiser(ValueError("boom")))
    return [driving_v3.shape_change(gate, plugin), driving_v3.run_v3(gate, plugin)]


@script(RUNTIME, "order", "num_outputs_ignored_at_enqueue")
def _(gate):
    return driving_v3.shaped_run(gate, v3({"num_outputs": 3}))


@script(RUNTIME, "order", "clone_after_on_shape_change_then_enqueue")
def _(gate):
    plugin = v3()
    driving_v3.shape_change(gate, plugin)
    return driving_v3.run_v3(gate, trampolines_v3.clone(gate, plugin))


count_tactics = driving_v3.build(trampolines_v3.count_tactics)
fetch_tactics = driving_v3.build(driving_v3.fetched)


@script(BUILD, "order", "getValidTactics_without_getNbTactics")
def _(gate):
    return fetch_tactics(gate, v3(), 2)


@script(BUILD, "order", "getValidTactics_twice")
def _(gate):
    plugin = v3()
    return [count_tactics(gate, plugin), fetch_tactics(gate, plugin, 2), fetch_tactics(gate, plugin, 2)]


@script(BUILD, "order", "getValidTactics_wrong_count")
def _(gate):
    plugin = v3()
    return [count_tactics(gate, plugin), fetch_tactics(gate, plugin, 1)]


@script(BUILD, "order", "get_valid_tactics_differs_per_call")
def _(gate):
    answers = itertools.chain([[1, 2]], itertools.repeat([3, 4, 5]))
    plugin = v3(get_valid_tactics=lambda _self: next(answers))
    return [count_tactics(gate, plugin), fetch_tactics(gate, plugin, 2)]


@script(BUILD, "order", "num_outputs_2_get_output_data_types_returns_1")
def _(gate):
    return driving_v3.output_data_types(gate, v3({"num_outputs": 2}), count=2)


@script(BUILD, "order", "num_outputs_2_get_output_shapes_returns_1")
def _(gate):
    return driving_v3.output_shapes(gate, v3({"num_outputs": 2}), count=2, shape_inputs=0)


# -- threads ------------------------------------------------------------------------------------------------------


@script(V2, "thread", "enqueue_on_foreign_thread")
def _(gate):
    plugin = v2()
    driving.configure(gate, plugin)
    return elsewhere(lambda: driving.run(gate, plugin))


@script(RUNTIME, "thread", "enqueue_on_foreign_thread")
def _(gate):
    plugin = v3()
    driving_v3.shape_change(gate, plugin)
    return elsewhere(lambda: driving_v3.run_v3(gate, plugin))


def elsewhere(ask):
    found = []
    thread = threading.Thread(target=lambda: found.append(ask()))
    thread.start()
    thread.join()
    return found[0]


@script(RUNTIME, "get_fields_to_serialize", "temporary_arrays_read_immediately")
def _(gate):
    kind = trt.PluginFieldType.INT32
    cls = v3_class(log=False)
    cls.get_fields_to_serialize = lambda _self: trt.PluginFieldCollection(
        [trt.PluginField("tmp", np.array([1, 2, 3], dtype=np.int32), kind)]
    )
    plugin = cls()
    found = driving_v3.saved_fields(gate, plugin)
    return {"fields_nonnull": found["fields"] != "NULL", "bytes_read_immediately": found["bytes_read_later"]}


# -- creators, decorated plugins, arguments ------------------------------------------------------------------------


def cached_instance(gate, base, cls, destroy):
    plugin = cls()()
    creator = creator_class(base, {}, log=False)()
    type(creator).create_plugin = lambda *_: plugin
    made = [driving.own(gate, driving.created(gate, creator)) for _ in range(2)]
    for one in made:
        destroy(gate, one)
    return {"same pointer twice": made[0] is made[1]}


@script("IPluginCreator", "create_plugin", "returns_cached_instance_twice")
def _(gate):
    return cached_instance(gate, trt.IPluginCreator, lambda: v2_class(log=False), trampolines.destroy)


@script("IPluginCreatorV3One", "create_plugin", "returns_cached_instance_twice")
def _(gate):
    return cached_instance(gate, trt.IPluginCreatorV3One, lambda: v3_class(log=False), trampolines_v3.destroy)


def registered_without_a_reference(gate, base):
    attrs = {
        "name": "Lonely",
        "plugin_version": "1",
        "plugin_namespace": "",
        "field_names": trt.PluginFieldCollection(),
    }
    registry = get_plugin_registry()
    registry.register_creator(creator_class(base, attrs, log=False)(), "")
    gc.collect()
    creator = registry.get_creator("Lonely", "1", "")
    try:
        return driving.null_or_not(driving.created(gate, creator))
    finally:
        registry.deregister_creator(creator)


for _base in (trt.IPluginCreator, trt.IPluginCreatorV3One):
    SCRIPTS[_base.__name__, "register_creator", "creator_has_no_other_reference"] = lambda gate, base=_base: (
        registered_without_a_reference(gate, base)
    )


@script("IPluginV3QuickBuild", "get_supported_format_combinations", "raises_on_second_call")
def _(gate):
    calls = []

    def on_second(_self, in_out, _num_inputs):
        calls.append(1)
        return [tensor.desc for tensor in in_out] if len(calls) == 1 else boom()

    return driving.quick_combinations(gate, _new(quick_class(), {"get_supported_format_combinations": on_second}))


@script("IPluginV3QuickBuild", "get_supported_format_combinations", "odd_count")
def _(gate):
    odd = {"get_supported_format_combinations": lambda _self, in_out, _num_inputs: [in_out[0].desc]}
    return driving.quick_combinations(gate, _new(quick_class(), odd))


@script(V2, "argument identity", "python changes descs, list and DimsExprs in place")
def _(gate):
    seen = []

    def spoil(_self, _pos, in_out, _num_inputs):
        seen.append((in_out, len(in_out), in_out[0]))
        in_out[0].type, in_out[0].dims = trt.DataType.INT8, (77, 64, 64)
        in_out.append("more")
        return True

    def spoil_dims(_self, _index, inputs, builder):
        inputs[0][0] = builder.constant(9)
        return trt.DimsExprs(0)

    plugin = v2(supports_format_combination=spoil, get_output_dimensions=spoil_dims)
    builder = expressions.new_builder()
    given = expressions.input_dims(builder, 0, (-1, 64, 64))
    desc = driving.INPUTS[0]
    driving.supports(gate, plugin)
    driving.supports(gate, plugin)
    trampolines.get_output_dimensions(gate, plugin, 0, [trt.DimsExprs(given)], builder)
    (first_list, _, first), (second_list, second_length, second) = seen
    kept = "unchanged" if not given[0].is_constant() else "changed"
    return {
        "C++ after": f"desc.type={int(desc.type)} desc.dims[0]={desc.dims[0]} inputs[0].d[0] {kept}",
        "second call got the same list": second_list is first_list,
        "second call len": second_length,
        "desc of the first call still reads": [first.type.name, list(first.dims)],
        "second call's desc object is the first's": second is first,
    }
