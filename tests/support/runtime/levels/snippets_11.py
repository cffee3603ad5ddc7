"""What is looked at on level 11; see ``snippets.py``."""

import json
from pathlib import Path

import numpy as np

import reference_runtime as trt


def _creator():
    class Creator(trt.IPluginCreator):
        def __init__(self):
            trt.IPluginCreator.__init__(self)
            self.name, self.plugin_version, self.plugin_namespace = "Kept", "1", ""
            self.field_names = trt.PluginFieldCollection([])

    return Creator()


def surface():
    """Every name with its members, as far as the surface of 11.4 asks for them."""
    shown = {}
    for name in dir(trt):
        value = getattr(trt, name)
        if isinstance(value, type):
            numbers = getattr(value, "__members__", None)
            shown[name] = {k: int(v) for k, v in numbers.items()} if numbers else sorted(dir(value))
        else:
            shown[name] = None
    return shown


def version():
    return [trt.__version__, trt.IPluginV2DynamicExt().tensorrt_version & 0xFFFFFF]


def a_registry():
    registry, creator = trt.get_plugin_registry(), _creator()
    done = [registry.register_creator(creator, ""), registry.get_creator("Kept", "1", "") is creator]
    return [*done, registry.deregister_creator(creator)]


def a_registration_of_what_is_no_creator():
    trt.get_plugin_registry().register_creator(3)


def a_network(logger):
    builder = trt.Builder(logger)
    networks = [builder.create_network(flags) for flags in (0, 1)]
    tensors = [network.add_input("x", trt.float16, (2,)) for network in networks]
    flag = trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED
    return [[network.get_flag(flag) for network in networks], [str(tensor.dtype) for tensor in tensors]]


def a_type_that_is_set(logger):
    tensor = trt.Builder(logger).create_network().add_input("x", trt.float16, (2,))
    tensor.dtype = trt.float32


def a_layer_keeps_the_type_of_its_input(logger):
    network = trt.Builder(logger).create_network()
    layer = network.add_identity(network.add_input("x", trt.float16, (2,)))
    return str(layer.get_output(0).dtype)


def a_squeeze_without_axes(logger):
    network = trt.Builder(logger).create_network()
    layer = network.add_squeeze(network.add_input("x", trt.float32, (2, 1, 3, 1)))
    return list(layer.get_output(0).shape)


def a_quantization_without_a_type(logger):
    network = trt.Builder(logger).create_network()
    tensor = network.add_input("x", trt.float32, (2,))
    network.add_quantize(tensor, tensor)


def settings(logger):
    builder = trt.Builder(logger)
    config, profile, runtime = (
        builder.create_builder_config(),
        builder.create_optimization_profile(),
        trt.Runtime(logger),
    )
    strategies = trt.DLAWorkspaceAllocationStrategy
    before = [config.build_route, config.all_build_routes, profile.profile_stream]
    before += [runtime.dla_workspace_allocation_strategy == strategies.DEFAULT]
    config.build_route, profile.profile_stream = config.all_build_routes[0], 7
    runtime.dla_workspace_allocation_strategy = strategies.SHARED_STATIC
    after = [config.build_route, profile.profile_stream]
    return [before, after, runtime.dla_workspace_allocation_strategy == strategies.SHARED_STATIC]


def a_route_that_is_none(logger):
    trt.Builder(logger).create_builder_config().build_route = "scenic"


def preview_features(logger):
    config = trt.Builder(logger).create_builder_config()
    return [config.get_preview_feature(feature) for feature in trt.PreviewFeature.__members__.values()]


def flags(logger):
    config = trt.Builder(logger).create_builder_config()
    config.set_flag(trt.BuilderFlag.DISABLE_COMPILATION_CACHE)
    return [config.flags, [name for name, flag in trt.BuilderFlag.__members__.items() if config.get_flag(flag)]]


def an_asynchronous_allocator():
    class Mine(trt.IGpuAsyncAllocator):
        def allocate_async(self, *arguments):
            self.seen = list(arguments)
            return 0

    mine = Mine()
    trt.IGpuAsyncAllocator.allocate_async(mine, 11, 22, 33, 44)
    return mine.seen


def measured_cases():
    """What each measured case of the bindings gives here: its result as JSON has it, its repr, or what it raises."""
    cases = json.loads((Path(__file__).parents[3] / "data" / "runtime" / "behaviours.json").read_text())
    return {case["id"]: _outcome(case["code"]) for case in cases}


def _outcome(code):
    scope = {"trt": trt, "np": np, "__name__": "case"}
    try:
        exec(compile(code, "<case>", "exec"), scope)  # noqa: S102 - the cases are measured as code
    except Exception as error:  # noqa: BLE001 - the class of any exception is what is compared
        return {"raises": [cls.__name__ for cls in type(error).__mro__]}
    result = scope.get("result")
    return {"equals": json.loads(json.dumps(result, default=_plain)), "repr": repr(result)}


def _plain(value):
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else repr(value)
