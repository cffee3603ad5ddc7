"""A failing example as a script that needs the plugin, NumPy and the reference runtime, and nothing of the harness."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.checks.bench import Bench
from harness.checks.comparing import tolerance_of
from harness.checks.oracle import reference_outputs
from harness.checks.sampling import drawn_shapes
from harness.finding import NotRun
from harness.interface import VERSION_3

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from harness.checks.field_values import FieldValue
    from harness.checks.sampling import Shapes
    from harness.subject import Subject

#: The request that asks for a script: the first of its examples holds the other arguments of :func:`script_of`.
SCRIPT = "SCRIPT"
#: Elements of all inputs together that are written down; more of them are drawn by the script.
_MOST = 400

_TEMPLATE = '''\
"""{title}

Needs the plugin, NumPy and reference_runtime. Exit status 1 while an output is wrong, 0 when none is.
"""
import importlib.util, sys
import numpy as np
import reference_runtime as trt
from reference_runtime.backends.host import current_device
from reference_runtime.bridges import cupy

sys.modules.update({{"tensorrt": trt, "cupy": cupy}})
sys.path[:0] = {path!r}
{load}

TYPES, PROFILE = {types!r}, {profile!r}  # of the inputs
RUNS = [{runs}]  # shapes and data of the inputs, and the outputs that are wanted, execution after execution
FIELDS = [{fields}]
creator = trt.get_plugin_registry().{finder}({name!r}, {version!r}, {namespace!r})
rng, logger = np.random.default_rng(0), trt.Logger(trt.Logger.ERROR)
def network_of(builder, dims):
    plugin = creator.create_plugin("plugin", trt.PluginFieldCollection(FIELDS){phase})
    network = builder.create_network()
    inputs = [network.add_input(f"x{{i}}", getattr(trt.DataType, t), d) for i, (t, d) in enumerate(zip(TYPES, dims))]
    layer = network.{adder}(inputs, {shape_inputs}plugin)
    for i in range(layer.num_outputs):
        layer.get_output(i).name = f"y{{i}}"
        network.mark_output(layer.get_output(i))
    return network
builder = trt.Builder(logger)
config, profile = builder.create_builder_config(), builder.create_optimization_profile()
for i, corners in enumerate(PROFILE):
    profile.set_shape(f"x{{i}}", *corners)
config.add_optimization_profile(profile)
plan = builder.build_serialized_network(network_of(builder, {dims!r}), config)
engine = trt.Runtime(logger).deserialize_cuda_engine(plan)
context, device, wrong = engine.create_execution_context(), current_device(), 0
for shapes, data, wanted in RUNS:
    constant = network_of(builder, shapes)
    _ = [context.set_input_shape(f"x{{i}}", shape) for i, shape in enumerate(shapes)]
    buffers = {{}}
    for name in map(engine.get_tensor_name, range(engine.num_io_tensors)):
        shape, dtype = tuple(context.get_tensor_shape(name)), trt.nptype(engine.get_tensor_dtype(name))
        buffers[name] = device.allocate(trt.volume(shape) * np.dtype(dtype).itemsize), shape, dtype
        context.set_tensor_address(name, buffers[name][0].address)
        if name[0] == "x":
            given = data[int(name[1:])] if data else rng.uniform(-4, 4, shape)
            buffers[name][0].write(np.asarray(given, dtype))
    succeeded = context.execute_async_v3(device.new_stream().handle)
    for i in range(constant.num_outputs):
        (buffer, shape, dtype), stated = buffers[f"y{{i}}"], tuple(constant.get_output(i).shape)
        got = buffer.read(dtype, trt.volume(shape)).reshape(shape)
        right = succeeded and stated == shape and (
            not wanted or got.shape == np.shape(wanted[i]) and np.allclose(got, wanted[i], {rtol}, {atol}))
        print(f"inputs {{shapes}}: y{{i}} is {{shape}}, {{stated}} by constants:", "right" if right else "WRONG")
        wrong += not right
sys.exit(bool(wrong))
'''


def script_of(subject: Subject, example: Any, *, title: str, path: Sequence[str], module: str) -> str:
    """Return the text of a script that runs the subject at the example's shapes.

    Raises:
        NotRun: The example has no shapes, or the plugin has inputs that a script cannot make.
    """
    if not isinstance(example, dict) or "program" in example or not {"sequence", "shapes"} & set(example):
        raise NotRun("a script can be written of shapes alone")
    sequence = example.get("sequence") or [example["shapes"]]
    case, bench = subject.case, Bench(subject, subject.create())
    if case.shape_inputs:
        raise NotRun("a script cannot be written for a case with shape inputs")
    runs = [_run(bench, drawn_shapes(case, shapes)) for shapes in sequence]
    is_new = subject.interface in VERSION_3
    tolerance = tolerance_of(case, bench.output_types[0])
    return _TEMPLATE.format(
        title=title,
        path=list(path),
        load=_load(module),
        types=[dtype.name for dtype, _ in bench.combination.inputs],
        profile=[entry.profile for entry in case.inputs],
        dims=[entry.network_dims for entry in case.inputs],
        runs=", ".join(runs),
        fields=", ".join(_field(value) for value in subject.fields),
        finder="get_creator" if is_new else "get_plugin_creator",
        adder="add_plugin_v3" if is_new else "add_plugin_v2",
        shape_inputs="[], " if is_new else "",
        phase=", trt.TensorRTPhase.BUILD" if is_new else "",
        name=case.plugin,
        version=case.version,
        namespace=case.namespace,
        rtol=tolerance.rtol,
        atol=tolerance.atol,
    )


def _run(bench: Bench, shapes: Shapes) -> str:
    """Return one element of RUNS: with data where they are few, and with what is wanted where somebody knows it."""
    arrays = bench.draw(shapes)
    if sum(array.size for array in arrays) > _MOST:
        return f"({shapes!r}, None, None)"
    case = bench.subject.case
    wanted = None if case.reference is None else [_listed(each) for each in reference_outputs(case, shapes, arrays)]
    return f"({shapes!r}, {[_listed(each) for each in arrays]!r}, {wanted!r})"


def _listed(array: npt.NDArray[Any]) -> Any:
    """Return an array as nested lists, with no more digits than its type has."""
    if array.ndim:
        return [_listed(np.asarray(each)) for each in array]
    return float(f"{float(array):.9g}") if array.dtype.kind == "f" else array.item()


def _field(value: FieldValue) -> str:
    data = f"np.array({value.data.tolist()!r}, np.{value.data.dtype.name})"
    return f"trt.PluginField({value.name!r}, {data}, trt.PluginFieldType.{value.type.name})"


def _load(module: str) -> str:
    """Return the lines that import a module, named as the user named it."""
    if not module.endswith(".py"):
        return f"importlib.import_module({module!r})"
    return "\n".join(
        (
            f'spec = importlib.util.spec_from_file_location("plugin_under_test", {str(Path(module).absolute())!r})',
            "sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)",
            "spec.loader.exec_module(module)",
        )
    )
