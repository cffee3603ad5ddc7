"""Record the order of callbacks for docs/what_happens_when.md, on plugins whose callbacks do nothing.

An application builds, loads and runs an engine on the reference runtime, step by step; the gate records each call. If
no document fixes an order or a number of calls, the scheduler chooses it by a seed. So the page shows the counts of
several seeds.
"""

import contextlib
import dataclasses

import numpy as np

import reference_runtime as trt
from reference_runtime.bound.lifetimes import close
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.calling.gate.records import Phase
from reference_runtime.calling.gate.scheduler import scheduling
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.devices import host

SEEDS = range(10)
YOURS, THE_CREATOR = "yours", "the creator"
#: The roles of the objects, in order of creation.
ROLES = (YOURS, "the network's", "the builder's", "timed", THE_CREATOR, "the engine's", "context 1", "context 2")


class DynamicPlugin(trt.IPluginV2DynamicExt):
    """An `IPluginV2DynamicExt` with every callback."""

    def __init__(self):
        super().__init__()
        self.num_outputs = 1
        self.plugin_type, self.plugin_version, self.plugin_namespace = "Traced", "1", ""

    def get_output_datatype(self, _index, input_types):
        return input_types[0]

    def get_output_dimensions(self, _index, inputs, _builder):
        return trt.DimsExprs(inputs[0])

    def supports_format_combination(self, pos, in_out, _num_inputs):
        return in_out[pos].type == trt.float32 and in_out[pos].format == trt.TensorFormat.LINEAR

    def configure_plugin(self, _inputs, _outputs):
        return None

    def get_workspace_size(self, _inputs, _outputs):
        return 0

    def initialize(self):
        return 0

    def enqueue(self, *_arguments):
        return 0

    def terminate(self):
        return None

    def get_serialization_size(self):
        return 4

    def serialize(self):
        return b"data"

    def clone(self):
        return DynamicPlugin()

    def destroy(self):
        return None


class DynamicCreator(trt.IPluginCreator):
    """A creator of `DynamicPlugin`."""

    def __init__(self):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = "Traced", "1", ""
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, _name, _fields):
        return DynamicPlugin()

    def deserialize_plugin(self, _name, _data):
        return DynamicPlugin()


class V3Plugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    """An `IPluginV3` with every callback, and two tactics."""

    def __init__(self):
        for base in (trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
            base.__init__(self)
        self.plugin_name, self.plugin_version, self.plugin_namespace = "Traced", "3", ""
        self.num_outputs = 1

    def get_capability_interface(self, _kind):
        return self

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, _shape_inputs, _builder):
        return [trt.DimsExprs(inputs[0])]

    def supports_format_combination(self, pos, in_out, _num_inputs):
        desc = in_out[pos].desc
        return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

    def configure_plugin(self, _inputs, _outputs):
        return None

    def get_valid_tactics(self):
        return [1, 2]

    def get_workspace_size(self, _inputs, _outputs):
        return 0

    def set_tactic(self, _tactic):
        return None

    def on_shape_change(self, _inputs, _outputs):
        return None

    def attach_to_context(self, _context):
        return V3Plugin()

    def enqueue(self, *_arguments):
        return None

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([])

    def clone(self):
        return V3Plugin()

    def destroy(self):
        return None


class V3Creator(trt.IPluginCreatorV3One):
    """A creator of `V3Plugin`."""

    def __init__(self):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = "Traced", "3", ""
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, _name, _fields, _phase):
        return V3Plugin()


@dataclasses.dataclass(frozen=True)
class Made:
    """A call: the role of its object, its method, and the role of the object that it creates."""

    role: str
    method: str
    newborn: str = ""


@dataclasses.dataclass(frozen=True)
class Step:
    """One step of the application, and the calls that it causes."""

    name: str
    title: str
    calls: tuple[Made, ...]


class _Recorder:
    def __init__(self):
        self.calls = []

    def before(self, event):
        self.calls.append((event.target, event.method))

    def after(self, event, outcome):
        """Do nothing: ``before`` has recorded the call."""


class _Application:
    """An application that does one step after the other, and records the calls in each."""

    def __init__(self, gate, creator):
        self.gate, self.creator, self.steps, self.contexts = gate, creator, [], []
        self.recorder = _Recorder()
        gate.observers.append(self.recorder)
        self.builder = trt.Builder(trt.Logger(trt.Logger.INTERNAL_ERROR))
        self.network = self.builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        x = self.network.add_input("x", trt.float32, (-1, 4))
        bias = self.network.add_constant((1, 4), trt.Weights(np.ones(4, np.float32)))
        bias.name = "bias"  # the weights to refit
        added = self.network.add_elementwise(x, bias.get_output(0), trt.ElementWiseOperation.SUM)
        self.tensor = added.get_output(0)

    @contextlib.contextmanager
    def step(self, name, title):
        first = len(self.recorder.calls)
        yield
        self.steps.append((name, title, self.recorder.calls[first:]))

    def add(self, plugin):
        is_v3 = isinstance(plugin, trt.IPluginV3)
        add = (lambda: self.network.add_plugin_v3([self.tensor], [], plugin)) if is_v3 else None
        layer = add() if add else self.network.add_plugin_v2([self.tensor], plugin)
        layer.get_output(0).name = "y"
        self.network.mark_output(layer.get_output(0))

    def build(self, profiles):
        config = self.builder.create_builder_config()
        config.set_flag(trt.BuilderFlag.REFIT)
        for number in range(profiles):
            profile = self.builder.create_optimization_profile()
            profile.set_shape("x", (1, 4), (2 + number, 4), (8, 4))
            config.add_optimization_profile(profile)
        return self.builder.build_serialized_network(self.network, config)

    def bind(self, context, rows, buffers):
        context.set_input_shape("x", (rows, 4))
        context.set_tensor_address("x", buffers[0].address)
        context.set_tensor_address("y", buffers[1].address)


def run(kind, profiles=1, seed=0):
    """Return the steps of the application with a plugin of a kind, ``"v2"`` or ``"v3"``."""
    creator = {"v2": DynamicCreator, "v3": V3Creator}[kind]()
    registry = trt.get_plugin_registry()
    registry.register_creator(creator, "")
    gate = Gate(quiet=True)
    try:
        with watching(gate), scheduling(seed):
            steps = _steps(_Application(gate, creator), kind, profiles)
    finally:
        registry.deregister_creator(creator)
    if gate.failures:
        raise RuntimeError(gate.failures[0])
    return _with_roles(gate, steps)


def _steps(app, kind, profiles):
    plugin = {"v2": DynamicPlugin, "v3": V3Plugin}[kind]()
    app.gate.name_of(plugin)  # the gate knows this plugin first, by which it has the role "yours"
    device = host.current_device()
    buffers = [device.allocate(8 * 4 * 4) for _ in range(3)]
    with app.step("added", "The plugin is added to the network"):
        app.add(plugin)
    with app.step("built", f"The engine is built, with {'one profile' if profiles == 1 else f'{profiles} profiles'}"):
        plan = app.build(profiles)
    with app.step("network gone", "Network and builder are destroyed"):
        close(app.network)
        close(app.builder)
    runtime = trt.Runtime(trt.Logger(trt.Logger.INTERNAL_ERROR))
    with app.step("loaded", "The engine is deserialized"):
        engine = runtime.deserialize_cuda_engine(plan)
    with app.step("context", "A context is created"):
        first = engine.create_execution_context()
    with app.step("second context", "A second context is created"):
        second = engine.create_execution_context()
    with app.step("set", "Shapes and addresses are set"):
        app.bind(first, 2, buffers)
        app.bind(second, 4, buffers)
    with app.step("first", "The first context executes for the first time"):
        first.execute_async_v3(0)
    with app.step("again", "It executes again, without a change"):
        first.execute_async_v3(0)
    with app.step("shape", "It executes with another shape"):
        first.set_input_shape("x", (3, 4))
        first.execute_async_v3(0)
    with app.step("address", "It executes with its input at another address"):
        first.set_tensor_address("x", buffers[2].address)
        first.execute_async_v3(0)
    with app.step("second", "The second context executes"):
        second.execute_async_v3(0)
    with app.step("refitted", "The engine is refitted, and the first context executes"):
        refitter = trt.Refitter(engine, trt.Logger(trt.Logger.INTERNAL_ERROR))
        refitter.set_weights("bias", trt.WeightsRole.CONSTANT, trt.Weights(np.zeros(4, np.float32)))
        refitter.refit_cuda_engine()
        first.execute_async_v3(0)
    with app.step("contexts gone", "The contexts are destroyed"):
        close(first)
        close(second)
    with app.step("engine gone", "The engine is destroyed"):
        close(engine)
    return app.steps


def _with_roles(gate, steps):
    """Return the steps with roles in place of the names of objects."""
    roles = _roles(gate)
    owned = list(gate.owned)

    def with_role(target, method):
        born = next((one for one in owned if one.parent == target and one.born.value == method), None)
        if born:
            owned.remove(born)
        return Made(
            roles.get(target, THE_CREATOR if "Creator" in target else YOURS), method, roles[born.name] if born else ""
        )

    return [Step(name, title, tuple(with_role(*call) for call in calls)) for name, title, calls in steps]


def _roles(gate):
    """Return the role of each object that TensorRT owned, by its name in calls."""
    roles, contexts = {}, 0
    for owned in gate.owned:
        if owned.born in {Call.CREATE_PLUGIN, Call.DESERIALIZE_PLUGIN}:
            roles[owned.name] = "the engine's"
        elif owned.phase is Phase.CONTEXT:
            contexts += 1
            roles[owned.name] = f"context {contexts}"
        elif owned.phase is Phase.TIMING:
            roles[owned.name] = "timed"
        else:
            roles[owned.name] = "the network's" if owned.phase is Phase.NETWORK else "the builder's"
    return roles
