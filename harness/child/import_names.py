"""Install the names ``tensorrt``, ``cupy`` and ``cuda``, so that importing them gives the reference runtime's modules.

Theory. A finder before all others answers for these names and all names below them. It maps each name to a module of
this project. Both names lead to the same module, so there is one registry, and one class of each name. The import
system sets a new ``__spec__`` on each module that it loads. The loader restores the former ``__spec__``, because the
module is already loaded under this project's name. Names that are not in the table do not exist, even if the real
``tensorrt`` or ``cupy`` is installed. A mixture of real modules and this project's modules would not work.

``python -m harness.child.import_names SCRIPT ARGS`` and ``python -m harness.child.import_names -m MODULE ARGS`` run
a program with these names, and with ``sys.argv``, ``sys.path[0]`` and ``__main__`` as Python itself would set them.
``--level 11`` before the program chooses another API level: see `reference_runtime.levels`.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import runpy
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from harness.contract.api_level import DEFAULT
from harness.process import gpus

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
_REFERENCE: Final = "reference_runtime"
#: The modules of TensorRT's wheel: ``tensorrt`` takes its names from ``tensorrt_bindings``.
_TENSORRT: Final = ("tensorrt", "tensorrt.tensorrt", "tensorrt_bindings", "tensorrt_bindings.tensorrt")
_DECORATORS: Final = {f"{name}.plugin": "reference_runtime.plugin" for name in ("tensorrt", "tensorrt_bindings")}
_WITHOUT_DECORATORS: Final = "8.6"
_BRIDGE: Final = "reference_runtime.bridges.cupy"
_CUPY: Final = {
    f"cupy{part}": f"{_BRIDGE}{part}"
    for part in (
        "", ".cuda", ".cuda.device", ".cuda.memory", ".cuda.nvtx", ".cuda.pinned_memory", ".cuda.runtime",
        ".cuda.stream", ".fft", ".linalg", ".random",
    )
}  # fmt: skip
_CUDA_PYTHON: Final = {
    "cuda": "reference_runtime.bridges.cuda_python",
    "cuda.bindings": "reference_runtime.bridges.cuda_python.bindings",
    **{
        f"cuda.{name}": f"reference_runtime.bridges.cuda_python.bindings.{module}"
        for module, names in {
            "driver": ("bindings.driver", "cuda"),
            "runtime": ("bindings.runtime", "cudart"),
            "nvrtc": ("bindings.nvrtc", "nvrtc"),
        }.items()
        for name in names
    },
}
_PYCUDA: Final = {
    f"pycuda{part}": "reference_runtime.bridges.pycuda"
    for part in ("", ".autoinit", ".autoprimaryctx", ".compiler", ".driver", ".gpuarray")
}
#: Modules of installed libraries that a bridge adapts to the host device right after their import.
_ADAPTED: Final = {
    "numba.cuda": "reference_runtime.bridges.numba",
    "polygraphy.cuda.cuda": "reference_runtime.bridges.polygraphy",
    "torch": "reference_runtime.bridges.torch",
    "triton.compiler.compiler": "reference_runtime.bridges.triton_compiler",
    "triton.runtime.interpreter": "reference_runtime.bridges.triton",
}
#: Environment variables that make these libraries run without a GPU, unless the user has set them.
_ENVIRONMENT: Final = {"NUMBA_ENABLE_CUDASIM": "1", "TRITON_INTERPRET": "1"}
_NOT_WITH_OUR_CUPY: Final = ("cupyx", "cupy_backends")
_LEVEL: Final = "--level"
_USAGE: Final = f"usage: python -m harness.child.import_names [{_LEVEL} LEVEL] (SCRIPT | -m MODULE) [ARGUMENT ...]"


class _Loader(Loader):
    """Loader that returns a module of this project, and leaves its ``__spec__`` as it was."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._own: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:  # noqa: ARG002 - the protocol's signature
        """Return the module that the name is mapped to."""
        module = importlib.import_module(self._target)
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Restore the module's own ``__spec__``; the module itself has run before."""
        module.__spec__ = self._own


class _Finder(MetaPathFinder):
    """Finder for the mapped names, which refuses other names of the same top-level packages."""

    def __init__(self, table: dict[str, str], refused: Sequence[str], adapted: Iterable[str]) -> None:
        self.table = table
        self.adapted = tuple(adapted)
        self.refused = frozenset(refused)
        self.roots = frozenset(name.partition(".")[0] for name in table)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,  # noqa: ARG002 - the protocol's signature
    ) -> ModuleSpec | None:
        """Return the specification of a mapped or adapted module; None for a name of another package.

        Raises:
            ModuleNotFoundError: The name is not in the table, but its top-level package is.
        """
        if any(f"{fullname}.".startswith(f"{name}.") for name in self.adapted):
            return _adapted(fullname, path)
        if fullname in self.table:
            return importlib.util.spec_from_loader(fullname, _Loader(self.table[fullname]))
        root = fullname.partition(".")[0]
        if root in self.roots:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        if root in self.refused:
            raise ModuleNotFoundError(
                f"No module named {fullname!r}: the host bridge for cupy does not have it; it needs a GPU",
                name=fullname,
            )
        return None


def _adapted(fullname: str, path: Sequence[str] | None) -> ModuleSpec | None:
    """Return the specification of a library's module, whose import ends with the adaptation by a bridge.

    Only the library's own folders are searched: numba-cuda would redirect the import, and needs a GPU's driver.
    """
    spec = PathFinder.find_spec(fullname, path)
    if fullname in _ADAPTED and spec is not None and spec.loader is not None:
        _then(spec.loader, lambda module: importlib.import_module(_ADAPTED[fullname]).adapt(module))
    return spec


def _then(loader: Any, adapt: Callable[[ModuleType], None]) -> None:
    """Make a loader call ``adapt`` with the module after it has run it."""
    run = loader.exec_module

    def run_and_adapt(module: ModuleType) -> None:
        run(module)
        adapt(module)

    loader.exec_module = run_and_adapt


def install(*, cupy: bool | None = None, tensorrt: str = _REFERENCE) -> None:
    """Make ``tensorrt`` mean the reference runtime from now on, and ``cupy`` and ``cuda`` the bridges.

    Args:
        cupy: Whether to map ``cupy`` and ``cuda``. None means: unless the installed CuPy has a GPU to use. The host
            device needs True, since the real CuPy cannot use its addresses.
        tensorrt: The module that the name ``tensorrt`` means; NVIDIA's own ``tensorrt`` is not mapped.

    Raises:
        ImportError: One of the names was imported before as another module.
    """
    uninstall()
    with_cupy = not gpus.usable() if cupy is None else cupy
    level = importlib.import_module("reference_runtime.levels").applied()
    table = dict.fromkeys(_TENSORRT, tensorrt) if tensorrt not in _TENSORRT else {}
    table |= _DECORATORS if tensorrt == _REFERENCE and level != _WITHOUT_DECORATORS else {}
    table |= {**_CUPY, **_CUDA_PYTHON, **_PYCUDA} if with_cupy else {}
    for name in sorted(table):
        _refuse_if_imported(name, table[name])
    sys.meta_path.insert(0, _Finder(table, _NOT_WITH_OUR_CUPY if with_cupy else (), _ADAPTED if with_cupy else ()))
    for name, value in _ENVIRONMENT.items() if with_cupy else ():
        os.environ.setdefault(name, value)


def uninstall() -> None:
    """Remove the mapped names; a later import finds the installed package, if there is one."""
    for finder in [finder for finder in sys.meta_path if isinstance(finder, _Finder)]:
        sys.meta_path.remove(finder)
        for name, target in finder.table.items():
            if name in sys.modules and sys.modules[name] is sys.modules.get(target):
                del sys.modules[name]


def main(arguments: Sequence[str]) -> None:
    """Run a script, or with ``-m`` a module, with the names ``tensorrt`` and ``cupy`` installed."""
    level, program = split_level(arguments)
    if not program or program == ["-m"]:
        raise SystemExit(_USAGE)
    try:
        importlib.import_module("reference_runtime.levels").apply(level)
    except ValueError as error:
        raise SystemExit(f"{_LEVEL}: {error}") from error
    install()
    with _device():
        if program[0] == "-m":
            sys.argv = program[1:]
            sys.path[0] = str(Path.cwd())
            runpy.run_module(program[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = program
            sys.path[0] = str(Path(program[0]).resolve().parent)
            runpy.run_path(program[0], run_name="__main__")


def _device() -> contextlib.AbstractContextManager[object]:
    """Return the context that makes a GPU the current device; without a GPU, that is the host device."""
    if not gpus.usable():
        return contextlib.nullcontext()
    cuda = importlib.import_module("reference_runtime.devices.cuda")
    current = importlib.import_module("reference_runtime.devices.current")
    used: contextlib.AbstractContextManager[object] = current.use(cuda.CudaDevice(listening=False))
    return used


def split_level(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """Return the API level that a command line begins with, and the other arguments; by default the default level."""
    words = list(arguments)
    first, _, value = words[0].partition("=") if words else ("", "", "")
    if first != _LEVEL:
        return DEFAULT, words
    return (value, words[1:]) if value else ("".join(words[1:2]), words[2:])


def _refuse_if_imported(name: str, target: str) -> None:
    """Raise ImportError if a different module already has the name."""
    module = sys.modules.get(name)
    if module is None or module is sys.modules.get(target):
        return
    where = getattr(module, "__file__", None) or "an unknown place"
    raise ImportError(
        f"{name} was imported from {where} before the reference runtime could take the name. "
        f"Install the namespace first, in a process that has not imported {name.partition('.')[0]} yet."
    )


if __name__ == "__main__":
    # The canonical module, not this second copy of it: uninstall() knows its finder by class.
    importlib.import_module("harness.child.import_names").main(sys.argv[1:])
