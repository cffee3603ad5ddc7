"""Show the application's calls of the runtime to an observer, as a validation layer does.

Theory. The gate (`calling.gate`) shows the runtime's calls of plugins. This module shows the application's calls of the
runtime: bound methods, functions of the module, and a few properties. An observer receives the arguments before a call
and the result after it. A call inside a call is not shown, because the runtime or a callback makes it, and not the
application. Members are wrapped only while an observer is active, so other runs are not slowed.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Protocol

from msgspec import Struct, field

import reference_runtime
from reference_runtime.bound.bound_class import attribute, is_bound, pybind11_object
from reference_runtime.bound.frames import is_ours
from reference_runtime.bound.overloads import is_bound_function

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference_runtime.bound.overloads import Overload

#: The properties whose reads are shown, and the properties whose assignments are shown.
_READ: Final = {
    "IPluginRegistry": ("all_creators", "all_creators_recursive", "plugin_creator_list"),
    "IExecutionContext": ("all_binding_shapes_specified", "all_shape_inputs_specified"),
}
_ASSIGNED: Final = {"IExecutionContext": ("device_memory", "active_optimization_profile")}
#: The classes whose constructors are shown. Base classes of plugins are left out, because plugins call these.
_CONSTRUCTED: Final = ("PluginField",)
#: Functions of the module without overloads: they are Python functions in TensorRT's package, too.
_FUNCTIONS: Final = ("volume",)


class ApplicationCall(Struct, eq=False):
    """One call: ``owner.member`` of ``target``, the arguments by name, and afterwards the result."""

    owner: str
    member: str
    target: Any
    arguments: dict[str, Any]
    result: Any = None
    error: BaseException | None = None
    notes: dict[str, Any] = field(default_factory=dict)
    """Data that an observer keeps from ``before`` to ``after``."""


class CallObserver(Protocol):
    """An observer of the application's calls."""

    def before(self, call: ApplicationCall, /) -> None:
        """Receive a call before it runs."""
        ...

    def after(self, call: ApplicationCall, /) -> None:
        """Receive the result of a call; the application gets ``call.result``, which this method may change."""
        ...


class _Shown:
    """The observer of this process, and whether each thread is inside a call."""

    observer: CallObserver | None = None
    here = threading.local()


@contextmanager
def showing(observer: CallObserver) -> Iterator[None]:
    """Show the calls of all threads to ``observer`` while the block runs."""
    before, _Shown.observer = _Shown.observer, observer
    undo = _install() if before is None else []
    try:
        yield
    finally:
        _Shown.observer = before
        for put_back in reversed(undo):
            put_back()


@contextmanager
def unseen() -> Iterator[None]:
    """Show no calls of this thread while the block runs."""
    before = getattr(_Shown.here, "inside", False)
    _Shown.here.inside = True
    try:
        yield
    finally:
        _Shown.here.inside = before


def is_inside() -> bool:
    """Return whether this thread is inside a call by the application, for example in a callback."""
    return bool(getattr(_Shown.here, "inside", False))


def _install() -> list[Callable[[], object]]:
    """Wrap the members that are shown; return functions that restore them."""
    module, undo = vars(reference_runtime), list[Callable[[], object]]()
    for name in reference_runtime.__all__:
        value = module[name]
        if isinstance(value, type) and issubclass(value, pybind11_object) and is_bound(value):
            undo += _wrap_members(value)
        elif name in _FUNCTIONS or is_bound_function(value) or hasattr(value, "overloads"):
            module[name] = _shown("", name, value, method=False)
            undo.append(functools.partial(module.__setitem__, name, value))
    return undo


def _wrap_members(cls: type) -> Iterator[Callable[[], object]]:
    for base in cls.__mro__:
        if base is pybind11_object or not isinstance(base, type(pybind11_object)) or not is_bound(base):
            continue
        for name, value in list(vars(base).items()):
            wrapped = _wrapped(str(base.__name__), name, value)
            if wrapped is not None:
                type.__setattr__(base, name, wrapped)
                yield functools.partial(type.__setattr__, base, name, value)


def _wrapped(owner: str, name: str, value: Any) -> Any:
    """Return the replacement of a member; None if the member is not shown."""
    if isinstance(value, attribute):
        return _shown_property(owner, name, value)
    is_constructor = name == "__init__" and owner in _CONSTRUCTED
    if not is_bound_function(value) or hasattr(value, "shown") or not (is_constructor or not name.startswith("__")):
        return None
    return _shown(owner, name, value, method=True)


def _shown_property(owner: str, name: str, value: attribute) -> attribute | None:
    read, assigned = name in _READ.get(owner, ()), name in _ASSIGNED.get(owner, ())
    if not (read or assigned) or hasattr(value, "shown"):
        return None
    getter = _shown(owner, name, value.fget, method=True) if read and value.fget else value.fget
    setter = _shown(owner, f"{name} =", value.fset, method=True) if assigned and value.fset else value.fset
    made = _ShownAttribute(getter, setter)
    vars(made).update(owner=value.owner, key=value.key, unset=value.unset)
    return made


class _ShownAttribute(attribute):
    """A property whose reads or assignments are shown."""

    shown = True


def _shown(owner: str, name: str, function: Callable[..., Any], *, method: bool) -> Any:
    """Return a function that calls ``function``, and shows the application's calls to the observer."""
    depth = 2 if name == "__init__" else 1  # the metaclass calls a constructor
    overloads: Sequence[Overload] = vars(function).get("overloads", ()) if hasattr(function, "__dict__") else ()

    @functools.wraps(function)
    def shown(*everything: Any, **named: Any) -> Any:
        observer = _Shown.observer
        if observer is None or is_inside() or is_ours(sys._getframe(depth)):  # noqa: SLF001 - see `frames`
            return function(*everything, **named)
        target, arguments = (everything[0], everything[1:]) if method and everything else (None, everything)
        call = ApplicationCall(owner, name, target, _by_name(overloads, arguments, named))
        with unseen():
            return _made(observer, call, lambda: function(*everything, **named))

    vars(shown)["shown"] = True
    if is_bound_function(function):
        vars(shown)["pybind11_bound"] = shown
    return shown


def _made(observer: CallObserver, call: ApplicationCall, make: Callable[[], Any]) -> Any:
    observer.before(call)
    try:
        call.result = make()
    except BaseException as error:
        call.error = error
        raise
    finally:
        observer.after(call)
    return call.result


def _by_name(overloads: Sequence[Overload], arguments: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """Return arguments by the names in the first overload that fits them; if none fits, by position."""
    for overload in overloads:
        names = [parameter.name for parameter in overload.parameters]
        if len(arguments) <= len(names) and set(named) <= set(names):
            return {**dict(zip(names, arguments, strict=False)), **named}
    return {**{str(place): value for place, value in enumerate(arguments)}, **named}
