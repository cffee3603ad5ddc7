"""Watch TensorRT's calls of a plugin during a build, without replacing any part of the plugin.

Theory. Each callback is a Python function, and Python calls a profile function when it begins and ends. The outermost
function with a callback's name is the callback; functions of this project do not count. Before the callback runs, its
name and line are written into the flight recorder. So the last callback is known after a crash. When the callback
returns, its answer is noted.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from harness.contract.own_names import HOME
from harness.process.flight_recorder import record, returned

if TYPE_CHECKING:
    from types import FrameType

    from typing_extensions import Self

_NAMES: Final = frozenset({
    "create_plugin", "get_capability_interface", "clone", "destroy", "get_output_data_types", "get_output_shapes",
    "supports_format_combination", "configure_plugin", "get_workspace_size", "get_valid_tactics", "get_aliased_input",
    "get_fields_to_serialize", "attach_to_context", "set_tactic", "on_shape_change", "enqueue", "release",
})  # fmt: skip
#: Files with functions that are named like callbacks and are none, such as `release` of a lock in Python's imports.
_OTHERS: Final = ("<frozen ", *(f"{HOME}/{package}/" for package in ("harness", "reference_runtime", "conformance")))
#: The file with the callbacks of plugins in C++, if the reference runtime builds.
_IN_CPP: Final = f"{HOME}/reference_runtime/native/proxies/version_3.py"


class Watch:
    """Context manager that records callbacks, and the answers of two of them.

    Attributes:
        workspace: The answers of ``get_workspace_size``, by its arguments as text.
        fields: The different answers of ``get_fields_to_serialize``, in order; each is a list of fields as text.
    """

    def __init__(self, trt: Any) -> None:
        """Watch the builder of this package."""
        self.workspace: dict[str, int] = {}
        self.fields: list[list[str]] = []
        self._collection = type(trt.PluginFieldCollection([]))
        self._running: FrameType | None = None
        self._question = ""

    def __enter__(self) -> Self:
        sys.setprofile(self._see)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _see(self, frame: FrameType, event: str, answer: Any) -> None:
        if event == "call" and self._running is None:
            code = frame.f_code
            if code.co_name in _NAMES and (code.co_filename == _IN_CPP or not code.co_filename.startswith(_OTHERS)):
                self._running = frame
                self._question = _question(frame) if code.co_name == "get_workspace_size" else ""
                owner = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
                record(type(owner).__name__, code.co_name, "a build", f"{code.co_filename}:{code.co_firstlineno}")
        elif event == "return" and frame is self._running:
            self._keep(answer)
            self._running = None
            returned()

    def _keep(self, answer: Any) -> None:
        if self._question and isinstance(answer, int):
            self.workspace.setdefault(self._question, answer)
        elif isinstance(answer, self._collection):
            fields = list(fields_of(answer))
            if fields not in self.fields:
                self.fields.append(fields)


def _question(frame: FrameType) -> str:
    """Return the descriptions among a callback's arguments, as text."""
    code = frame.f_code
    arguments = [frame.f_locals.get(name) for name in code.co_varnames[1 : code.co_argcount]]
    return question_of(each for each in arguments if isinstance(each, Sequence))


def question_of(descriptions: Iterable[Iterable[Any]]) -> str:
    """Return the descriptions of inputs and outputs as text, such as ``FLOAT:LINEAR:(2, 3):...``."""
    return "; ".join(", ".join(map(_described, each)) for each in descriptions)


def _described(bounds: Any) -> str:
    described = getattr(bounds, "desc", bounds)
    extents = "..".join(str(tuple(getattr(bounds, name, ()))) for name in ("min", "opt", "max"))
    return f"{described.type.name}:{described.format.name}:{tuple(described.dims)}:{extents}"


def fields_of(collection: Any) -> Iterator[str]:
    """Yield each field of a collection as text: name, type, size, and a hash of the data."""
    for field in collection:
        data = field.data
        content = b"" if data is None else bytes(data)
        yield f"{field.name}:{field.type.name}[{field.size}] {hashlib.sha256(content).hexdigest()[:12]}"
