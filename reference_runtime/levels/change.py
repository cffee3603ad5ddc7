"""Change the module and its classes to those of a level: remove, renumber and add, in this order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import reference_runtime
from reference_runtime.bound.enumeration import restate
from reference_runtime.bound.level_constants import settle
from reference_runtime.bound.overloads import bound_again

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from reference_runtime.bound.overloads import Overload
    from reference_runtime.levels.surface import Surface

#: Attributes that a class statement puts into every class; they are not copied from a holder.
_OF_EVERY_CLASS = frozenset(vars(type("Empty", (), {}))) | {
    "__annotations__", "__annotations_cache__", "__annotate_func__", "__static_attributes__", "__firstlineno__",
    "__qualname__",
}  # fmt: skip


def change(surface: Surface) -> None:
    """Change the module to that of a level."""
    module = vars(reference_runtime)
    settle(surface.facts)
    for owner, members in surface.gone_members.items():
        _take_away(module.get(owner), members)
    for owner, numbers in surface.enumerations.items():
        if owner in module:
            restate(module[owner], numbers)
    for owner, methods in surface.overloads.items():
        _bind_again(module.get(owner), methods)
    for owner, holder in surface.new_members.items():
        if owner in module:
            _install(module[owner], holder)
    _rename(surface.gone_names, surface.new_names)
    reference_runtime.__version__ = surface.version


def _take_away(owner: type | None, members: Iterable[str]) -> None:
    """Delete a class's own members; inherited members stay."""
    for name in members:
        if owner is not None and name in vars(owner):
            type.__delattr__(owner, name)


def _bind_again(owner: type | None, methods: Mapping[str, Callable[[Sequence[Overload]], Sequence[Overload]]]) -> None:
    for name, choose in methods.items():
        if owner is not None and name in vars(owner):
            type.__setattr__(owner, name, bound_again(vars(owner)[name], choose))


def _install(owner: type, holder: type) -> None:
    """Give a class every attribute of ``holder``, in place of its attribute of the same name."""
    for name, value in vars(holder).items():
        if name not in _OF_EVERY_CLASS:
            type.__setattr__(owner, name, value)
            if hasattr(value, "__set_name__"):  # as the class statement of the owner would have done
                value.__set_name__(owner, name)


def _rename(gone: Iterable[str], new: Mapping[str, Any]) -> None:
    module = vars(reference_runtime)
    for name in gone:
        module.pop(name, None)
    module.update(new)
    reference_runtime.__all__[:] = sorted((set(reference_runtime.__all__) - set(gone)) | set(new))
