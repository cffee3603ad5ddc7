"""Optimization profiles in TensorRT 8.6: each belongs to one context, and a context may have no profile.

Theory. If an engine has dynamic or shape inputs, a profile belongs to one context at a time. A new context gets profile
0 if it is free. Otherwise its ``active_optimization_profile`` is -1, and no shape can be set until a profile is set. A
profile is free again when its context has changed to another or was destroyed. From TensorRT 10 on contexts share
profiles. The preview feature for that in 8.6 has no effect here.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from reference_runtime.bound.bound_class import state
from reference_runtime.bound.lifetimes import is_open
from reference_runtime.levels.v8_6 import batches
from reference_runtime.levels.v8_6.bindings import io_names, log_of
from reference_runtime.values.enums import TensorIOMode
from reference_runtime.values.refusals import Refused, complain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference_runtime.engine.context.context import IExecutionContext

__all__ = ["NONE", "begun", "inputs", "is_shape_input", "log_of", "profile_of", "take"]

#: The number in place of a profile for a context without a profile.
NONE = -1
#: The keys of an engine's contexts and of a context's profile in their native states.
_USERS, _PROFILE = "_users_of_profiles", "_profile_or_none"


def inputs(engine: Any) -> list[str]:
    """Return the names of an engine's inputs."""
    return [name for name in io_names(engine) if engine.get_tensor_mode(name) == TensorIOMode.INPUT]


def is_shape_input(engine: Any, name: str) -> bool:
    """Say whether a tensor is an input whose values decide shapes."""
    return bool(engine.is_shape_inference_io(name)) and engine.get_tensor_mode(name) == TensorIOMode.INPUT


def begun(engine: Any, context: IExecutionContext | None) -> IExecutionContext | None:
    """Give a new context profile 0, or none if another context has it, and return the context."""
    if context is not None:
        state(context)[_PROFILE] = NONE if _user(engine, 0) is not None else 0
        _users(engine).add(context)
    return context


def profile_of(context: Any) -> int:
    """Return the profile of a context, or -1."""
    profile: int = state(context).get(_PROFILE, 0)
    return profile


def take(context: Any, profile: int, method: str) -> bool:
    """Return whether a context may have a profile; report an error if another context has it."""
    user = _user(context.engine, profile)
    if user is None or user is context:
        return True
    why = (
        f"Profile {profile} has been chosen by another IExecutionContext. "
        f"Use another profile index, or destroy the context that uses this profile."
    )
    complain(f"IExecutionContext::{method}", Refused(why), to=log_of(context.engine))
    return False


def moved(context: Any, profile: int) -> None:
    """Record the new profile of a context."""
    state(context)[_PROFILE] = profile


def _user(engine: Any, profile: int) -> Any:
    """Return the context to which a profile belongs, or None."""
    return next((each for each in _open_users(engine) if profile_of(each) == profile), None)


def _open_users(engine: Any) -> Iterator[Any]:
    if batches.greatest(engine):
        return  # contexts share the one profile of an implicit batch
    if any(-1 in tuple(engine.get_tensor_shape(name)) or is_shape_input(engine, name) for name in inputs(engine)):
        yield from (context for context in _users(engine) if is_open(context))


def _users(engine: Any) -> weakref.WeakSet[Any]:
    users: weakref.WeakSet[Any] = state(engine).setdefault(_USERS, weakref.WeakSet())
    return users
