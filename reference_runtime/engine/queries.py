"""An application's queries of an engine by names and numbers; `Refused` for invalid ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.engine.activations import is_copied, shares_input
from reference_runtime.engine.context.memory import memory_sizes
from reference_runtime.values.enums import TensorIOMode
from reference_runtime.values.enums_building import SerializationFlag
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Collection

    from reference_runtime.engine.loading import LiveEngine
    from reference_runtime.plan import TensorPlan
    from reference_runtime.values.descriptions import Range


def _place(live: LiveEngine, name: str) -> int:
    place = live.io_places.get(name)
    if place is None:
        raise Refused(f"Given invalid tensor name: {name}.")
    return place


def tensor(live: LiveEngine, name: str) -> TensorPlan:
    """Return an input or output."""
    return live.plan.tensors[_place(live, name)]


def name_at(live: LiveEngine, index: int) -> str:
    """Return the name of an input or output by its number."""
    tensors = live.plan.io
    if not 0 <= index < len(tensors):
        raise Refused(f"there is no tensor {index}; the engine has {len(tensors)}")
    return tensors[index].name


def _check_profile(live: LiveEngine, profile: int) -> None:
    count = len(live.plan.profiles)
    if not 0 <= profile < count:
        raise Refused(f"there is no optimization profile {profile}; the engine has {count}")


def memory_size(live: LiveEngine, profile: int) -> int:
    """Return how many bytes a context needs in a profile."""
    _check_profile(live, profile)
    return memory_sizes(live)[profile]


def _input(live: LiveEngine, name: str, profile: int) -> int:
    _check_profile(live, profile)
    place = _place(live, name)
    if live.plan.tensors[place].mode != TensorIOMode.INPUT:
        raise Refused(f"{name} is an output; profiles have bounds for inputs")
    return place


def profile_shape(live: LiveEngine, name: str, profile: int) -> Range:
    """Return the bounds of an input's shape in a profile."""
    place = _input(live, name, profile)
    return live.plan.profiles[profile].ranges[place]


def profile_values(live: LiveEngine, name: str, profile: int) -> list[list[int]]:
    """Return the bounds of a shape input's values in a profile; an empty list for other inputs."""
    place = _input(live, name, profile)
    values = live.plan.profiles[profile].values
    bounds = values[place] if place < len(values) else None
    return [] if bounds is None else [list(row) for row in bounds]


def aliased_input(live: LiveEngine, name: str) -> str | None:
    """Return the name of the input whose memory an output shares, directly or through several plugins, or None.

    A tensor that is converted before or behind a plugin has separate memory.
    """
    place = _place(live, name)
    if live.plan.tensors[place].mode != TensorIOMode.OUTPUT:
        raise Refused(f"{name} is no output")
    for layer in reversed(live.plan.layers):
        if place in layer.outputs:
            output = layer.outputs.index(place)
            shared = shares_input(layer, output)
            ends = () if shared is None else (shared, len(layer.inputs) + output)
            if shared is None or any(is_copied(layer, position, live.plan) for position in ends):
                return None
            place = layer.inputs[shared]
    return live.plan.tensors[place].name if live.plan.tensors[place].mode == TensorIOMode.INPUT else None


def weights_size(live: LiveEngine) -> int:
    """Return the bytes of the weights of all operations, without the data of plugins."""
    return sum(len(layer.payload) for layer in live.plan.layers if layer.plugin is None)


def check_budget(live: LiveEngine, budget: int) -> None:
    """Refuse a budget for weight streaming that cannot be set."""
    if budget < -1:
        raise Refused(f"{budget} is no budget for weight streaming; it is a number of bytes")
    if live.contexts:
        raise Refused("the budget for weight streaming cannot change while there are execution contexts")
    if budget > 0:
        raise Refused("the engine was not built with BuilderFlag.WEIGHT_STREAMING: no weights can be streamed")


def check_serialization(live: LiveEngine, flags: Collection[SerializationFlag]) -> None:
    """Refuse EXCLUDE_WEIGHTS for an engine that is not refittable, and INCLUDE_REFIT without EXCLUDE_WEIGHTS."""
    if SerializationFlag.EXCLUDE_WEIGHTS in flags and not live.plan.traits.refittable:
        raise Refused("EXCLUDE_WEIGHTS needs an engine that is refittable: build it with BuilderFlag.REFIT")
    if SerializationFlag.INCLUDE_REFIT in flags and SerializationFlag.EXCLUDE_WEIGHTS not in flags:
        raise Refused("INCLUDE_REFIT goes with EXCLUDE_WEIGHTS")
