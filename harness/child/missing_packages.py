"""Replace packages that are not installed, named by ``--plugin-stub``, so that the module can be imported.

Theory. While the module is imported, every module and attribute below these packages exists. Each attribute is a
stand-in, which can be called, used as a decorator, indexed and derived from. After the import, a call of a stand-in
raises `NeedsPackage`, and the rule that is judged then is NOT-RUN. A package that is installed is used as it is.
"""

from __future__ import annotations

import importlib.util
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from reference_runtime.instruments import NeedsPackage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from typing_extensions import Self


class _Import:
    """The state of the import: it goes on or has ended."""

    goes_on = True


class StandIn:
    """Replaces an object of a package that is not installed."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"<stand-in for {self._name}>"

    def __getattr__(self, name: str) -> Any:
        return _attribute(self._name, name)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Return another stand-in; if the only argument is a function or class, as for a decorator, return it.

        Raises:
            NeedsPackage: The import is over.
        """
        if not _Import.goes_on:
            raise NeedsPackage(self._name)
        is_decorator = len(arguments) == 1 and not named and hasattr(arguments[0], "__qualname__")
        return arguments[0] if is_decorator else StandIn(f"{self._name}()")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __getitem__(self, _: Any) -> StandIn:
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __or__(self, _: Any) -> StandIn:
        return self

    __ror__ = __or__

    def __mro_entries__(self, _: Any) -> tuple[type, ...]:
        return (_Base,)


class _Base:
    """Replaces a stand-in that is used as a base class."""

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__()


class _Module(ModuleType):
    """Replaces a package or module that is not installed."""

    def __getattr__(self, name: str) -> Any:
        return _attribute(self.__name__, name)


def _attribute(owner: str, name: str) -> StandIn:
    if name.startswith("__"):  # Python asks for these to find out what an object can do
        raise AttributeError(f"the stand-in for {owner} has no attribute {name!r}", name=name)
    return StandIn(f"{owner}.{name}")


class _Loader(Loader):
    """Loader of stand-ins for modules."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return an empty stand-in."""
        return _Module(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: a stand-in has no code."""


class _Finder(MetaPathFinder):
    """Finder for packages that are not installed, and for all modules below them."""

    def __init__(self, packages: Sequence[str]) -> None:
        self._below = tuple(f"{package}." for package in packages)

    def find_spec(self, fullname: str, *_: Any) -> ModuleSpec | None:
        """Return the specification of a stand-in, or None for other names."""
        is_ours = f"{fullname}.".startswith(self._below)
        return ModuleSpec(fullname, _Loader(), is_package=True) if is_ours else None


def install(packages: Sequence[str]) -> None:
    """Make stand-ins importable for those of the packages that are not installed."""
    missing = [package for package in packages if _is_missing(package)]
    if missing:
        sys.meta_path.insert(0, _Finder(missing))


def _is_missing(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is None
    except ModuleNotFoundError:  # its parent is missing
        return True


def end_of_import() -> None:
    """Make each later call of a stand-in raise `NeedsPackage`."""
    _Import.goes_on = False
