"""Make a network whose only layer is a plugin, and the configuration to build it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from harness.checks.sampling.scales import has_scales, int8_scale
from harness.checks.shapes.batches import add_item, greatest_batch, is_implicit
from harness.contract.interface import MADE_AS_V3

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cases.case import Shape
    from harness.checks.formats.choices import NetworkTypes
    from harness.subject.subject import Subject

#: The number of contexts that run interleaved.
CONTEXTS = 2
#: The builder flag that a weakly typed network needs for a type.
_TYPE_FLAGS = {"HALF": "FP16", "BF16": "BF16", "INT8": "INT8", "FP8": "FP8"}


def fill_network(subject: Subject, network: Any, plugin: Any, types: NetworkTypes) -> bool:
    """Make a plugin the only layer of a network; return whether TensorRT accepted it."""
    inputs, sizes = data_tensors(subject, network, types), shape_tensors(subject, network)
    layer = subject.caller.add_to(network, inputs, sizes, plugin)
    if layer is None:
        return False
    scale, has_scale = int8_scale(subject.case, len(inputs)), has_scales(subject.case)
    for tensor, dtype in itertools.zip_longest(map(layer.get_output, range(layer.num_outputs)), types.outputs):
        set_scale(tensor, scale if has_scale or dtype == subject.trt.DataType.INT8 else None)
        network.mark_output(tensor)
    return True


def data_tensors(subject: Subject, network: Any, types: NetworkTypes) -> list[Any]:
    """Add the data inputs of the case to the network, and return their tensors."""
    tensors = []
    for index, (entry, name) in enumerate(zip(subject.case.data_inputs, types.inputs, strict=True)):
        add = add_item if is_implicit(subject) else type(network).add_input
        tensor = add(network, f"input_{index}", subject.data_type(name), entry.network_dims)
        set_scale(tensor, entry.scale)
        tensors.append(tensor)
    return tensors


def shape_tensors(subject: Subject, network: Any) -> list[Any]:
    """Add the shape inputs of the case to the network, and return their tensors.

    A network input that is a shape tensor can have at most one dimension. So a shape input with more dimensions becomes
    an input with one dimension, and a shuffle layer.
    """
    tensors = []
    for index, entry in enumerate(subject.case.shape_inputs):
        dims = entry.network_dims
        input_dims = dims if len(dims) <= 1 else (len(entry.profile[0]),)
        tensor = network.add_input(f"shape_input_{index}", subject.data_type(entry.types[0]), input_dims)
        if input_dims != dims:
            shuffle = network.add_shuffle(tensor)
            shuffle.reshape_dims = dims
            tensor = shuffle.get_output(0)
        tensors.append(tensor)
    return tensors


def set_scale(tensor: Any, scale: float | None) -> None:
    """Set the scale of a tensor's INT8 values, unless it is None."""
    if scale is not None and hasattr(tensor, "set_dynamic_range"):  # TensorRT 11 has no dynamic ranges
        tensor.set_dynamic_range(-127 * scale, 127 * scale)


def configuration_of(subject: Subject, builder: Any, types: NetworkTypes) -> Any:
    """Return a builder configuration that allows the network's types and aliased outputs, with the case's profile."""
    config = bare_configuration(subject, builder, types)
    if is_implicit(subject):
        return config  # the builder has the greatest batch instead of a profile
    for _ in range(CONTEXTS if has_own_profiles(subject) else 1):
        add_profile(subject, builder, config, [entry.profile for entry in subject.case.inputs])
    return config


def bare_configuration(subject: Subject, builder: Any, types: NetworkTypes) -> Any:
    """Return a builder configuration that allows the network's types and aliased outputs, without a profile."""
    trt = subject.trt
    config = builder.create_builder_config()
    flags = trt.BuilderFlag.__members__  # TensorRT 11 has none for types: its networks are strongly typed
    all_types = [*map(subject.data_type, types.inputs), *types.outputs]
    for name in {_TYPE_FLAGS.get(dtype.name) for dtype in all_types} & set(flags):
        config.set_flag(flags[name])
    aliasing = trt.PreviewFeature.__members__.get("ALIASED_PLUGIN_IO_10_03")
    if aliasing is not None and subject.interface in MADE_AS_V3:
        config.set_preview_feature(aliasing, True)  # noqa: FBT003 - TensorRT's signature
    return config


def add_profile(subject: Subject, builder: Any, config: Any, corners: Sequence[Sequence[Shape]]) -> None:
    """Add a profile to the configuration, unless there are no inputs.

    ``corners`` has the minimum, optimum and maximum shape of each data input, then the values of each shape input.
    """
    profile = builder.create_optimization_profile()
    count = len(subject.case.data_inputs)
    for index, each in enumerate(corners[:count]):
        profile.set_shape(f"input_{index}", *each)
    for index, each in enumerate(corners[count:]):
        profile.set_shape_input(f"shape_input_{index}", *each)
    if corners:
        config.add_optimization_profile(profile)


def network_flags(subject: Subject) -> int:
    """Return the flags of a network: TensorRT 8.6 needs one for an explicit batch."""
    flags = subject.trt.NetworkDefinitionCreationFlag
    return 1 << int(flags.EXPLICIT_BATCH) if has_own_profiles(subject) else 0


def has_own_profiles(subject: Subject) -> bool:
    """Return whether each context needs its own profile, as in TensorRT 8.6 with an explicit batch."""
    return subject.spec == "8.6" and not is_implicit(subject)


def new_network(subject: Subject, builder: Any) -> Any:
    """Return an empty network; if the batch is implicit, set the builder's greatest batch before."""
    if is_implicit(subject):
        builder.max_batch_size = greatest_batch(subject)
    return builder.create_network(network_flags(subject))
