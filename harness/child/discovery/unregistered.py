"""Register the creators that a module defines without registering them, or skip each with a reason.

A library has classes that are not plugins themselves: bases that others complete, abstract classes, classes that need
arguments. Libraries do not register these, so they are not judged. Python cannot always say which they are; these signs
are enough:

* a method is marked as abstract (``abc.abstractmethod``), or ``create_plugin`` only raises ``NotImplementedError``
* a class derives from it that the module registers, or that has the same key
* a class derives from it, and it lacks a name or ``create_plugin``, or reads an attribute that only subclasses set
* it cannot be made without arguments, or raises while it is made
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.fields.creating import creator_attributes
from harness.process.failures import named
from harness.subject.creators import (
    creator_classes,
    imported_creator_classes,
    takes_no_arguments,
    unregistered_definitions,
)
from harness.subject.subject import Registration
from reference_runtime.instruments import is_bound
from reference_runtime.registry.registry import get_plugin_registry

if TYPE_CHECKING:
    from types import ModuleType


class Skipped(msgspec.Struct, frozen=True):
    """A creator class that is not judged.

    Attributes:
        cls: The class.
        why: Why not.
    """

    cls: type
    why: str


class Unregistered(msgspec.Struct, frozen=True):
    """The creators that a module defines and does not register, by the registry's answer.

    Attributes:
        made: The creators, which the registry has now.
        refused: Those that the registry refused.
        skipped: The classes that are not judged.
    """

    made: tuple[Any, ...]
    refused: tuple[Registration, ...]
    skipped: tuple[Skipped, ...]


def register(module: ModuleType, registrations: Iterable[Registration]) -> Unregistered:
    """Make and register the creators that a module only defines; where it defines none, those that it imports."""
    known = {type(each.creator) for each in registrations}
    classes = list(creator_classes(module))
    definitions = list(unregistered_definitions(module))
    if not (classes or definitions or known):
        classes = list(imported_creator_classes(module))
    made: list[Any] = []
    refused: list[Registration] = []
    skipped: list[Skipped] = []
    for cls in _derived_first(classes):
        if cls in known:
            continue
        creator, skip = _made(cls, known)
        if skip is not None:
            skipped.append(skip)
        elif _offered(creator):
            made.append(creator)
        elif heir := _heir(cls, known | set(map(type, made))):
            skipped.append(Skipped(cls, f"{heir.__name__} derives from it and has its key"))
        else:
            refused.append(Registration(creator, creator.plugin_namespace, accepted=False))
    made += [definition.offer(definition.declared) for definition in definitions]
    return Unregistered(tuple(made), tuple(refused), tuple(skipped))


def _derived_first(classes: list[type]) -> list[type]:
    """Return classes in their order, but each behind those that derive from it."""
    return sorted(classes, key=lambda cls: sum(issubclass(other, cls) for other in classes))


def _made(cls: type, registered: Iterable[type]) -> tuple[Any, Skipped | None]:
    """Return a creator of the class, or why there is none."""
    heirs: list[type] = type.__subclasses__(cls)
    if why := _why_a_base(cls, heirs, registered):
        return None, Skipped(cls, why)
    if not takes_no_arguments(cls):
        return None, Skipped(cls, "it cannot be made without arguments")
    try:
        creator = cls()
        missing = next(_unset(cls, creator, heirs), "")
    except Exception as error:  # noqa: BLE001 - the user's own code
        return None, Skipped(cls, f"it raises {named(error)}")
    if missing:
        return None, Skipped(cls, f"{missing} is not set until a class derives from it, as {heirs[0].__name__} does")
    return creator, None


def _why_a_base(cls: type, heirs: Iterable[type], registered: Iterable[type]) -> str:
    """Return why a class is there only for others to derive from it; empty if nothing shows that."""
    create = inspect.getattr_static(cls, "create_plugin")
    code = getattr(create, "__code__", None)
    if code is not None and code.co_names == ("NotImplementedError",):
        return "create_plugin only raises NotImplementedError"
    for name in dir(cls):
        if getattr(inspect.getattr_static(cls, name, None), "__isabstractmethod__", False):
            return f"{name} is abstract"
    if heirs and not any("create_plugin" in vars(base) for base in _written(cls)):
        return "it has no create_plugin"
    heir = _heir(cls, registered)
    return f"the module registers {heir.__name__}, which derives from it" if heir else ""


def _offered(creator: Any) -> bool:
    """Register a creator, and return whether it is judged.

    TensorRT crashes when one without a namespace is registered: it is judged as it is, and a rule reports why.
    """
    if creator_attributes(creator)["plugin_namespace"] is None:
        return True
    return bool(get_plugin_registry().register_creator(creator, creator.plugin_namespace))


def _heir(cls: type, classes: Iterable[type]) -> type | None:
    return next((other for other in classes if other is not cls and issubclass(other, cls)), None)


def _unset(cls: type, creator: Any, heirs: Sequence[type]) -> Iterator[str]:
    """Yield the name or attribute that a class lacks, although it reads it, and that each derived class sets."""
    if heirs and not creator_attributes(creator)["name"]:
        yield "name"
    codes = (getattr(value, "__code__", None) for base in _written(cls) for value in vars(base).values())
    read = dict.fromkeys(name for code in codes for name in getattr(code, "co_names", ()))
    for name in read:
        if heirs and all(name in vars(heir) for heir in heirs) and getattr(creator, name, None) is None:
            yield name


def _written(cls: type) -> list[type]:
    return [base for base in cls.__mro__ if base is not object and not is_bound(base)]
