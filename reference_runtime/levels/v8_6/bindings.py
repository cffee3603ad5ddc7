"""Bindings: the numbers of an engine's inputs and outputs in TensorRT 8.6, different in each profile.

Theory. An engine with n inputs and outputs and p optimization profiles has n * p bindings. Binding ``profile * n + i``
is tensor i in that profile. Its name is the tensor's, and in any profile except the first ``"<name> [profile k]"``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from reference_runtime.bound.bound_class import state
from reference_runtime.values.refusals import Logged, Refused, complain

if TYPE_CHECKING:
    from collections.abc import Iterator


class Binding(Struct, frozen=True):
    """One binding: a tensor in a profile."""

    index: int
    tensor: str
    profile: int

    @property
    def name(self) -> str:
        """The name of the binding."""
        return f"{self.tensor} [profile {self.profile}]" if self.profile else self.tensor


def io_names(engine: Any) -> list[str]:
    """Return the names of an engine's inputs and outputs, in their order."""
    return [engine.get_tensor_name(index) for index in range(engine.num_io_tensors)]


def bindings(engine: Any) -> Iterator[Binding]:
    """Yield every binding of an engine."""
    names = io_names(engine)
    for profile in range(max(engine.num_optimization_profiles, 1)):
        for place, name in enumerate(names):
            yield Binding(profile * len(names) + place, name, profile)


def binding_at(engine: Any, index: int) -> Binding | None:
    """Return a binding by its number, or None."""
    return next((each for each in bindings(engine) if each.index == index), None)


def binding_named(engine: Any, name: str) -> Binding | None:
    """Return a binding by its name, or None."""
    return next((each for each in bindings(engine) if each.name == name), None)


def log_of(engine: Any) -> Logged:
    """Return the sink of an engine's errors: its logger."""
    return Logged(state(engine)["_live"].around.logger)


def synchronize(engine: Any) -> None:
    """Wait for the device that an engine runs on."""
    state(engine)["_live"].around.device.synchronize()


def wrong_binding(engine: Any, method: str, binding: int | str) -> None:
    """Report to the application that the binding does not exist."""
    count = sum(1 for _ in bindings(engine))
    complain(method, Refused(f"there is no binding {binding!r}; the engine has {count} bindings"), to=log_of(engine))
