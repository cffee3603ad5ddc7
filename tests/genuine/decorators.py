"""Registers and describes decorated plugins with one of two packages ``tensorrt.plugin``, and prints what it saw.

python -m harness.child.import_names tests/genuine/decorators.py (ours | nvidia)

``tensorrt`` is the reference runtime on both sides. NVIDIA's package is the one in the wheel of the genuine bindings
(extra ``genuine``); it is Python, and is read where it is installed.
"""

import importlib
import importlib.util
import json
import pathlib
import re
import sys
from importlib.machinery import PathFinder

import numpy as np
import tensorrt as trt

HERE = pathlib.Path(__file__).parent
FLOAT, HALF, INT32 = trt.DataType.FLOAT, trt.DataType.HALF, trt.DataType.INT32
EXAMPLES = {
    "decorated.elementwise_add_qdp": {"addend": 1.5, "block_size": 64},
    "decorated.in_place_add_qdp": {"addend": -2.0},
    "decorated.non_zero_qdp": {},
    "decorated.leaky_relu_aot": {"slope": 0.25},
}


class Folder:
    """Finds the modules of NVIDIA's package in its folder."""

    def __init__(self, folder):
        self.folder = str(folder)

    def find_spec(self, name, path=None, target=None):
        if name == "tensorrt.plugin":
            file = pathlib.Path(self.folder) / "__init__.py"
            return importlib.util.spec_from_file_location(name, file, submodule_search_locations=[self.folder])
        return PathFinder.find_spec(name, [self.folder]) if name.startswith("tensorrt.plugin.") else None


def take_nvidias():
    """Let ``tensorrt.plugin`` be NVIDIA's."""
    bindings = importlib.util.find_spec("tensorrt_lean_bindings")
    sys.meta_path.insert(0, Folder(pathlib.Path(bindings.submodule_search_locations[0]) / "plugin"))


def with_numbers(package, plugin_id):
    """Let NVIDIA's creator convert numbers as NumPy did before 2.4, which refuses ``int`` of an array."""
    declared = sys.modules["tensorrt.plugin._lib"].QDP_REGISTRY[plugin_id].input_attrs
    for name, kind in declared.items():
        if kind in (int, float, bool):
            declared[name] = type(kind.__name__, (), {"__new__": lambda cls, data, kind=kind: kind(data.item())})


def attempted(work):
    """Return what comes of some work: its result, or what it raised."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - what is raised is compared
        return [type(error).__name__, re.sub(r"[\w.]*\.(?=[A-Z]\w+)", "", str(error))]  # modules have other names


def network():
    builder = trt.Builder(trt.Logger(trt.Logger.ERROR))
    made = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    return builder, made, made.add_input("x", FLOAT, (-1, 6))


def listed(collection):
    return [[field.name, field.type.name, field.size] for field in collection]


def descriptor(dtype, dims):
    desc = trt.DynamicPluginTensorDesc()
    desc.desc.type, desc.desc.dims, desc.desc.format = dtype, dims, trt.TensorFormat.LINEAR
    desc.min, desc.opt, desc.max = (tuple(n if d < 0 else d for d in dims) for n in (1, 2, 4))
    return desc


def shapes_of(plugin):
    from reference_runtime.shapes import expressions  # noqa: PLC0415 - after the namespace is there

    builder = expressions.new_builder(sizes=True)
    found = plugin.get_output_shapes([expressions.input_dims(builder, 0, (-1, 6))], [], builder)
    return [[expressions.describe(each) for each in dims] for dims in found]


def offered(plugin, outputs):
    in_out = [descriptor(FLOAT, (-1, 6)), *(descriptor(FLOAT, (-1, 6)) for _ in range(outputs))]
    found = plugin.get_supported_format_combinations(in_out, 1)
    ways = []
    for start in range(0, len(found), len(in_out)):
        way = found[start : start + len(in_out)]
        for desc, chosen in zip(in_out, way, strict=True):
            desc.desc.type, desc.desc.format = chosen.type, chosen.format
        plugin.configure_plugin(in_out[:1], in_out[1:])
        ways.append([[desc.type.name, desc.format.name] for desc in way] + [sorted(plugin.get_valid_tactics())])
    return ways


def kernel_of(plugin, outputs):
    from reference_runtime.shapes import expressions, symbolic_arguments  # noqa: PLC0415 - as above

    plugin.set_tactic(128)
    builder = expressions.new_builder()
    in_out = [descriptor(FLOAT, (-1, 6)) for _ in range(1 + outputs)]
    params, arguments = symbolic_arguments.new_launch_params(), symbolic_arguments.new_arguments()
    plugin.get_launch_params([expressions.input_dims(builder, 0, (-1, 6))], in_out, 1, params, arguments, builder)
    name, image = plugin.get_kernel([in_out[0].desc], [each.desc for each in in_out[1:]])
    given = [expressions.describe(symbolic_arguments.content(arguments[place])[2]) for place in range(len(arguments))]
    sizes = [getattr(params, name) for name in ("grid_x", "grid_y", "block_x", "shared_mem")]
    return [name, len(image), given, [expressions.describe(symbolic_arguments.content(each)[2]) for each in sizes]]


def outputs_of(builder, made, layer, cases):
    """Return what an engine with the plugin computes: built, serialized, loaded and run."""
    import cupy as cp  # noqa: PLC0415 - after the namespace is there

    from reference_runtime.bridges.stand_ins import standing_in  # noqa: PLC0415 - as above

    for place in range(layer.num_outputs):
        layer.get_output(place).name = f"y{place}"
        made.mark_output(layer.get_output(place))
    config, profile = builder.create_builder_config(), builder.create_optimization_profile()
    profile.set_shape("x", (1, 6), (2, 6), (4, 6))
    config.add_optimization_profile(profile)
    with standing_in(cases.PLUGIN_CASES[-1].get("stand_ins", {})):
        plan = builder.build_serialized_network(made, config)
        engine = trt.Runtime(trt.Logger(trt.Logger.ERROR)).deserialize_cuda_engine(plan)
        context = engine.create_execution_context()
        context.set_input_shape("x", (2, 6))
        given = cp.asarray(np.arange(12, dtype=np.float32).reshape(2, 6) % 3 - 1)
        context.set_tensor_address("x", given.data.ptr)
        memory = [cp.zeros((64,), np.float32) for _ in range(layer.num_outputs)]
        for place, each in enumerate(memory):
            context.set_tensor_address(f"y{place}", each.data.ptr)
        stream = cp.cuda.Stream()
        done = context.execute_async_v3(stream.ptr)
        stream.synchronize()
        return [done, [cp.asnumpy(each).tolist() for each in memory]]


def described(module, attributes, package):
    importlib.import_module(f"plugin_examples.{module}")
    creator = next(
        each for each in trt.get_plugin_registry().all_creators if each.name in module or module.startswith(each.name)
    )
    builder, made, x = network()
    instance = getattr(package.op.example, creator.name)(x, **attributes)
    if package.__name__ == "tensorrt.plugin" and "tensorrt.plugin._lib" in sys.modules:
        with_numbers(package, f"example::{creator.name}")
    ahead = module.endswith("aot")
    request = trt.QuickPluginCreationRequest.STRICT_AOT if ahead else trt.QuickPluginCreationRequest.STRICT_JIT
    inputs, shape_inputs, plugin = instance(request)
    count = plugin.get_num_outputs()
    outcome = {
        "creator": [creator.name, creator.plugin_version, creator.plugin_namespace, listed(creator.field_names)],
        "refused": attempted(
            lambda: instance(
                trt.QuickPluginCreationRequest.STRICT_JIT if ahead else trt.QuickPluginCreationRequest.STRICT_AOT
            )
        ),
        "inputs": [len(inputs), len(shape_inputs)],
        "identity": [plugin.plugin_name, plugin.plugin_version, plugin.plugin_namespace, count],
        "types": [[each.name for each in plugin.get_output_data_types([dtype], [2])] for dtype in (HALF, FLOAT)],
        "aliases": [plugin.get_aliased_input(place) for place in range(count)],
        "shapes": shapes_of(plugin),
        "offered": offered(plugin, count),
        "clone": type(plugin.clone()) is type(plugin),
    }
    outcome["fields" if not ahead else "kernel"] = (
        kernel_of(plugin, count) if ahead else listed(plugin.get_fields_to_serialize())
    )
    layer = made.add_plugin(instance, ahead)
    outcome["layer"] = [layer.get_output(place).dtype.name for place in range(layer.num_outputs)]
    if ahead or not attributes:  # the numbers that NVIDIA's serializes lie in arrays that are gone
        cases = importlib.import_module(f"plugin_examples.{module}_cases")
        outcome["outputs"] = outputs_of(builder, made, layer, cases)
    return outcome


def main(side):
    """Print what one side does."""
    sys.path.insert(0, str(HERE.parents[1]))
    if side == "nvidia":
        take_nvidias()
    package = importlib.import_module("tensorrt.plugin")
    found = {module: described(module, attributes, package) for module, attributes in EXAMPLES.items()}
    found["names"] = sorted(set(package.__all__))
    found["refusals"] = refusals(package)
    sys.stdout.write(json.dumps(found) + "\n")


def refusals(trtp):
    """Return what each mistake raises."""
    programs = json.loads((HERE / "decorators_refused.json").read_text())
    return {name: attempted(lambda text=text: refused(trtp, text)) for name, text in programs.items()}


def refused(trtp, text):
    scope = {
        "trtp": trtp,
        "trt": trt,
        "np": np,
        "network": network,
        "NDArray": importlib.import_module("numpy.typing").NDArray,
    }
    exec(text, scope)  # noqa: S102 - the texts are ours
    return scope.get("result", "nothing was raised")


main(sys.argv[1])
