"""Load a library of C++ plugins in the builder's process, and register its creators in NVIDIA's registry.

The library's own calls of the registry lead to the reference runtime's registry. NVIDIA's registry gets objects that
forward calls to the library. So a builder with the function tables of TensorRT 11 can use a library for TensorRT 10.
"""

from __future__ import annotations

import contextlib
import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from harness.child.native_library import module_of
from harness.child.nvidias_builder.callbacks import fields_of, question_of
from harness.process.flight_recorder import record, returned
from harness.process.loaded_files import NATIVE_LIBRARY
from reference_runtime.native.abi.slots import DELETE, Abi
from reference_runtime.native.elf.loading import Pairs
from reference_runtime.native.exchange.fields import read_fields
from reference_runtime.native.proxies.creators import NativeCreatorV3
from reference_runtime.native.services.forwarding import Forwarding

if TYPE_CHECKING:
    from harness.child.nvidias_builder.asked import Creator
    from harness.protocol.messages import ChildSettings
    from reference_runtime.native.library.loading import LoadedLibrary

#: The file of NVIDIA's library among those that a process has mapped.
_NVIDIAS: Final = re.compile(r"(/\S*/lib(?:tensorrt_rtx|nvinfer)\.so\S*)$", re.MULTILINE)
#: The package whose builder has the function tables of TensorRT 11, although its own version is another number.
_RTX: Final = "tensorrt_rtx"
_NEWEST: Final = "11"
_CAPITAL: Final = re.compile(r"[A-Z]")
#: Functions of C++ that are attributes in Python.
_ATTRIBUTES: Final = {
    "get_plugin_name": "plugin_name",
    "get_plugin_version": "plugin_version",
    "get_plugin_namespace": "plugin_namespace",
    "get_nb_outputs": "num_outputs",
}


class _Process:
    """The objects that NVIDIA's code uses until the process ends."""

    library: LoadedLibrary | None = None
    forwarding: Forwarding | None = None


class Calls:
    """A record of the calls into a library.

    Args:
        say: Writes a line about a mistake or a lack of the library at once: the process may die of it.

    Attributes:
        workspace: The answers of ``get_workspace_size`` in this build, by its arguments as text.
        fields: The different answers of ``get_fields_to_serialize`` in this build, in order.
    """

    def __init__(self, say: Callable[..., None]) -> None:
        self._say = say
        self.workspace: dict[str, int] = {}
        self.fields: list[list[str]] = []

    def begin(self) -> None:
        """Forget the answers of the last build."""
        self.workspace, self.fields = {}, []

    @contextlib.contextmanager
    def calling(self, interface: str, method: str) -> Iterator[None]:
        """Record a call in the flight recorder while it runs."""
        record(interface, "destructor" if method == DELETE else method.partition("/")[0], "a build")
        yield
        returned()

    def answered(self, method: str, arguments: Sequence[Any], answer: Any) -> None:
        """Keep answers that are compared between builds."""
        if _Process.library is None:
            return
        objects = _Process.library.objects
        if method == "getWorkspaceSize":
            inputs, count, outputs, made = arguments
            tensors = (objects.tensors.read_dynamic_descs(*each) for each in ((inputs, count), (outputs, made)))
            self.workspace.setdefault(question_of(tensors), answer)
        elif method == "getFieldsToSerialize" and answer:
            fields = list(fields_of(read_fields(objects.abi.structures, answer)))
            if fields not in self.fields:
                self.fields.append(fields)

    def tell(self, method: str, about: str, what: str) -> None:
        """Write a line about a mistake of the library in a call."""
        self._say(misdeed=[f"{_in_python(method)}{about}", what])

    def lacking(self, error: BaseException) -> None:
        """Write a line about what the library needs and this machine lacks."""
        self._say(unusable=str(error))


def _in_python(method: str) -> str:
    """Return the Python name of a callback, as rules own it."""
    name = _CAPITAL.sub(lambda capital: f"_{capital[0].lower()}", method)
    return _ATTRIBUTES.get(name, name)


def load(settings: ChildSettings) -> None:
    """Load the library of the settings, and register its creators in the reference runtime's registry."""
    _Process.library = getattr(module_of(Path(settings.module).absolute(), settings), NATIVE_LIBRARY)


def offer(creator: Creator, trt: Any, runtime: str, calls: Calls) -> None:
    """Register an object that forwards calls to one creator of the library in NVIDIA's registry."""
    if _Process.library is None:
        raise RuntimeError("no library was loaded")
    loaded = _Process.library
    nvidias = Abi(_NEWEST if runtime == _RTX else trt.__version__.partition(".")[0])
    overloaded = "registerCreator/2"
    method = overloaded if nvidias.has("IPluginRegistry", overloaded) else "registerCreator"
    _Process.forwarding = Forwarding(loaded.objects.abi.epoch.name, Pairs(), calls, loaded.objects.heap)
    for native in loaded.creators:
        if isinstance(native, NativeCreatorV3) and _is(native, creator):
            address = _Process.forwarding.of(native.this, "IPluginCreatorV3One")
            nvidias.call(_registry(), "IPluginRegistry", method, address, creator.namespace.encode())


def _is(native: NativeCreatorV3, creator: Creator) -> bool:
    return (native.name, native.plugin_version, native.plugin_namespace) == (
        creator.name,
        creator.version,
        creator.namespace,
    )


def _registry() -> int:
    """Return the address of NVIDIA's registry."""
    (file, *_) = _NVIDIAS.findall(Path("/proc/self/maps").read_text("utf-8"))
    function = ctypes.CDLL(file).getPluginRegistry
    function.restype = ctypes.c_void_p
    address: int = function()
    return address
