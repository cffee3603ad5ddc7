"""Replace packages that are not installed, named by ``--plugin-stub``, so that the module can be imported.

Theory. While the module is imported, every module and attribute below these packages exists. Each attribute is a
stand-in, which can be called, used as a decorator, indexed and derived from. After the import, a call of a stand-in
raises `NeedsPackage`, and the rule that is judged then is NOT-RUN. A package that is installed is used as it is.

An import can fail because a package is missing, or because a stand-in cannot do the package's work. A module may catch
that exception. Later, names and operators that the import defines are missing, which is no defect of the plugin. So
these imports are recorded.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from harness.subject.missing import missing_package, record_failed_import
from reference_runtime.instruments import NeedsPackage, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from typing_extensions import Self

_STAND_IN: Final = "stand-in for"


class _Import:
    """The state of the import: it goes on or has ended."""

    goes_on = True


class StandIn:
    """Replaces an object of a package that is not installed."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"<{_STAND_IN} {self._name}>"

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
        raise AttributeError(f"the {_STAND_IN} {owner} has no attribute {name!r}", name=name)
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


class _Recorder(MetaPathFinder):
    """Finds modules as the finders behind it do, and records those whose import fails because a package is missing."""

    def __init__(self, stubs: Sequence[str]) -> None:
        self._stubs = ", ".join(stubs)

    def find_spec(self, *arguments: Any) -> ModuleSpec | None:
        """Return the specification with a loader that records."""
        others = sys.meta_path[sys.meta_path.index(self) + 1 :]
        answers = (finder.find_spec(*arguments) for finder in others if hasattr(finder, "find_spec"))
        spec = next(filter(None, answers), None)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            loader: Any = spec.loader
            loader.exec_module = functools.partial(self._execute, loader, loader.exec_module)
        return spec

    def _execute(self, loader: Any, run: Callable[[ModuleType], None], module: ModuleType) -> None:
        try:
            run(module)
        except Exception as error:
            if why := missing_package(error) or self._of_a_stand_in(error):
                record_failed_import(module.__name__, error, loader.get_code(module.__name__), why)
            raise

    def _of_a_stand_in(self, error: BaseException) -> str:
        """Say that a stand-in is no replacement, if the error's text names one or its type."""
        text = text_of(error)
        if not self._stubs or not (StandIn.__name__ in text or _STAND_IN in text):
            return ""
        return f"a stand-in is not enough there (--plugin-stub={self._stubs}): install the package to judge this"


def install(packages: Sequence[str]) -> None:
    """Make stand-ins importable for those of the packages that are not installed, and record imports that fail."""
    missing = [package for package in packages if _is_missing(package)]
    sys.meta_path[:0] = [_Recorder(missing), *([_Finder(missing)] if missing else [])]


def _is_missing(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is None
    except ModuleNotFoundError:  # its parent is missing
        return True


def end_of_import() -> None:
    """Make each later call of a stand-in raise `NeedsPackage`, and record no more imports."""
    _Import.goes_on = False
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Recorder)]
