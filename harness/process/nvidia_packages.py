"""Describe NVIDIA's Python packages with a builder: their versions, and the environment to load them in."""

from __future__ import annotations

import importlib.util
import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from harness.process.machine import version_of

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The package that writes the models to build.
_MODELS: Final = "onnx"
_SEARCHED: Final = "LD_LIBRARY_PATH"


class NvidiaPackage(msgspec.Struct, frozen=True):
    """One of NVIDIA's packages, with TensorRT's API in Python.

    Attributes:
        module: Its name in Python.
        product: Its product name.
        distributions: The distributions that contain it; the first that is installed gives its version.
        libraries: The package with its native libraries, if the loader has to find one of them; else empty.
        library: The file name that the loader looks for; the real file has a version at its end.
        install: The command that installs it.
        machine: The only processor with a wheel; empty if there are several.
    """

    module: str
    product: str
    distributions: tuple[str, ...]
    libraries: str = ""
    library: str = ""
    install: str = ""
    machine: str = ""

    def is_installed(self) -> bool:
        """Return whether the package and ONNX can be imported."""
        return all(importlib.util.find_spec(name) is not None for name in (self.module, _MODELS))

    def has_wheel(self) -> bool:
        """Return whether the package has a wheel for this machine."""
        return not self.machine or (platform.system(), platform.machine()) == ("Linux", self.machine)

    def versions(self) -> dict[str, str]:
        """Return the versions of its installed distributions, by name."""
        return {name: version for name in self.distributions if (version := version_of(name))}

    def label(self, versions: Mapping[str, str] | None = None) -> str:
        """Return the product and the first three numbers of its version, as messages have them."""
        by_name = self.versions() if versions is None else versions
        version = next((by_name[name] for name in self.distributions if name in by_name), "")
        return f"{self.product} {'.'.join(version.split('.')[:3])}".rstrip()

    def environment(self, folder: Path) -> Mapping[str, str]:
        """Return the environment of a process that uses it; put a link to its library into ``folder``."""
        if not self.libraries:
            return os.environ
        spec = importlib.util.find_spec(self.libraries)
        for home in (spec.submodule_search_locations if spec else None) or ():
            for file in Path(home).glob(f"{self.library}.*"):
                if not (folder / self.library).exists():
                    (folder / self.library).symlink_to(file)
        path = os.pathsep.join(filter(None, (str(folder), os.environ.get(_SEARCHED))))
        return {**os.environ, _SEARCHED: path}


#: TensorRT for RTX: it builds without a GPU.
RTX: Final = NvidiaPackage(
    "tensorrt_rtx",
    "TensorRT-RTX",
    ("tensorrt-rtx-cu12", "tensorrt-rtx-cu13", "tensorrt-rtx"),
    "tensorrt_rtx_libs",
    "libtensorrt_rtx.so",
    "pip install 'pytest-trt-conformance[rtx]'",
    "x86_64",
)
TENSORRT: Final = NvidiaPackage(
    "tensorrt",
    "TensorRT",
    ("tensorrt", "tensorrt-cu13", "tensorrt-cu12"),
    install="pip install tensorrt onnx",
)
_ALL: Final = {package.module: package for package in (RTX, TENSORRT)}


def of_choice(runtime: str) -> NvidiaPackage | None:
    """Return the package that a value of ``--plugin-runtime`` names; None for any other value."""
    return {"rtx": RTX, "tensorrt": TENSORRT}.get(runtime)


def by_module(name: str) -> NvidiaPackage:
    """Return the package with a module's name."""
    return _ALL[name]
