"""Recognize the user's own code: files in the packages and folders of the plugin's classes, without their imports."""

from __future__ import annotations

import enum
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.contract.own_names import own
from reference_runtime import instruments
from reference_runtime.plugin.definitions import PluginDef

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType, ModuleType

#: Folders that many packages share: other files beside a plugin in one of them are not the plugin's code.
_COMMON = {"site-packages", "dist-packages"}
#: Packages of this project. Their classes wrap plugins made with decorators.
OURS = frozenset({own("harness"), "reference_runtime"})
_BRIDGES = "reference_runtime.bridges."
#: Packages whose classes are not the user's: Python's own, and this project's, such as proxies of C++ objects.
_OTHERS = {*sys.stdlib_module_names, *OURS}


class CodeOrigin(enum.Enum):
    """The origin of a frame's code: the plugin, our replacements of CUDA libraries, or other code."""

    OWN = enum.auto()
    DEVICE = enum.auto()
    ELSEWHERE = enum.auto()


class OwnCode:
    """The code of some objects' classes, and of the modules beside them."""

    def __init__(self, *objects: Any) -> None:
        modules = [sys.modules[written.__module__] for each in objects for written in _own_parts(each)]
        self._packages = {module.__name__.partition(".")[0] for module in modules if "." in module.__name__}
        files = {Path(file) for file in (getattr(module, "__file__", None) for module in modules) if file}
        self._files = {str(file) for file in files}
        self._folders = {str(file.parent) for file in files if file.parent.name not in _COMMON}
        self._known: dict[str, CodeOrigin] = {}

    def modules(self) -> list[ModuleType]:
        """Return the loaded modules of the plugin's code, without modules of cases (``*_cases``)."""
        loaded = [module for name, module in list(sys.modules.items()) if not name.endswith("_cases")]
        return [
            module
            for module in loaded
            if isinstance(file := getattr(module, "__file__", None), str) and self._has(file, module.__name__)
        ]

    def origin(self, frame: FrameType) -> CodeOrigin:
        """Return the origin of a frame's code; the answer for a file is stored."""
        file = frame.f_code.co_filename
        if file not in self._known:
            self._known[file] = self._origin(file, str(frame.f_globals.get("__name__", "")))
        return self._known[file]

    def _origin(self, file: str, module: str) -> CodeOrigin:
        if module.startswith(_BRIDGES):
            return CodeOrigin.DEVICE
        return CodeOrigin.OWN if self._has(file, module) else CodeOrigin.ELSEWHERE

    def _has(self, file: str, module: str) -> bool:
        own = file in self._files or os.path.dirname(file) in self._folders  # noqa: PTH120 - of all loaded modules
        return own or module.partition(".")[0] in self._packages


def _own_parts(each: Any) -> Sequence[Any]:
    """Return the parts of an object that a user wrote: its classes, or the functions of a decorated plugin."""
    definition = getattr(each, "definition", None)
    return definition.functions if isinstance(definition, PluginDef) else _own_classes(each)


def _own_classes(each: Any) -> list[type]:
    """Return an object's classes without those of the bindings, of this project and of Python."""
    return [
        cls
        for cls in type(each).__mro__
        if not instruments.is_bound(cls) and cls.__module__.partition(".")[0] not in _OTHERS
        if cls.__module__ in sys.modules
    ]
