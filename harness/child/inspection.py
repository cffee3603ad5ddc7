"""Print the contents of a library of plugins as two lines of JSON: from its file, and from loading it.

``trt-conformance inspect`` runs this module in a separate process, because loading runs the library's code.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from reference_runtime import levels
from reference_runtime.native.abi.type_names import demangled
from reference_runtime.native.cuda.fatbin import architectures
from reference_runtime.native.elf.hardening import hardening_of
from reference_runtime.native.library.errors import LibraryError
from reference_runtime.native.library.file_facts import FileFacts, is_of_nvidia, look_at

#: Functions by which programs get the plugins of a library, beside those of ``FileFacts.initialisers``.
LOADERS = ("getCreators", "getPluginCreators", "setLoggerFinder")


def main(file: str, level: str = "") -> int:
    """Print both lines and return 0; if the file is unusable, print only its error."""
    try:
        facts = look_at(Path(file))
    except LibraryError as error:
        _print({"error": str(error)})
        return 0
    level = level or {"8": "8.6", None: "10"}.get(facts.epoch, facts.epoch or "")
    _print(_of_file(facts, level))
    try:
        _print(_of_loaded(facts, level))
    except LibraryError as error:
        _print({"error": str(error)})
    return 0


def _of_file(facts: FileFacts, level: str) -> dict[str, Any]:
    library = facts.library
    return {
        "file": str(facts.path),
        "sha256": hashlib.sha256(library.data).hexdigest(),
        "build_id": library.build_id,
        "soname": library.soname,
        "level": level,
        "tensorrt": facts.tensorrt,
        "needs": list(library.needed),
        "cuda_runtime": "static" if facts.has_cuda_inside else "shared" if facts.has_cuda else "none",
        "of_nvidia": sorted(
            {each.name for each in library.undefined if is_of_nvidia(each.library)}
            | set(facts.cuda_symbols)
            | ({"getPluginRegistry", "getLogger", "getInferLibVersion"} & {each.name for each in library.undefined})
        ),
        "architectures": architectures(library),
        "loaders": sorted(library.exported & {*LOADERS, *facts.initialisers}),
        "hardening": hardening_of(library),
    }


def _of_loaded(facts: FileFacts, level: str) -> dict[str, Any]:
    """Return the creators that the library registers or returns, and the names of its kernels.

    Raises:
        LibraryError: It cannot be loaded, or has no creator.
    """
    levels.apply(level)
    from reference_runtime.native.cuda import functions, kernels  # noqa: PLC0415 - once the level is fixed
    from reference_runtime.native.library.loading import load  # noqa: PLC0415
    from reference_runtime.native.proxies.proxy import Proxy  # noqa: PLC0415
    from reference_runtime.registry.registry import get_plugin_registry  # noqa: PLC0415

    registry, cuda = get_plugin_registry(), functions.cuda_functions()
    loaded = load(facts.path, registry, module="inspected", spec=level, cuda=cuda)
    creators = [_creator(each) for each in loaded.creators if isinstance(each, Proxy)]
    if not creators:
        raise LibraryError(facts.without_creators)
    return {"creators": creators, "kernels": sorted({demangled(name) for name in kernels.registered()})}


def _creator(creator: Any) -> dict[str, Any]:
    made = getattr(type(creator), "plugin_class", None)
    return {
        "name": creator.name,
        "version": creator.plugin_version,
        "namespace": creator.plugin_namespace,
        "class": type(creator).__name__,
        "interface": creator.interface,
        "plugins": "IPluginV3" if creator.interface == "IPluginCreatorV3One" else made.bound.__name__ if made else "",
        "fields": [{"name": field.name, "type": field.type.name} for field in creator.field_names],
    }


def _print(line: dict[str, Any]) -> None:
    sys.stdout.write(f"{json.dumps(line)}\n")
    sys.stdout.flush()
