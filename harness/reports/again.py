"""The command that judges one thing again as a run did."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness.reports.document import Document

__all__ = ["again"]

#: Options that change what is judged: the document's name and the command's, and what is not worth saying.
_LISTS = ("cases", "onnx", "onnx_dims", "sanitizer")
_USUAL = {
    "setup": "",
    "level": 5,
    "spec": "10",
    "device": "auto",
    "addresses": "opaque",
    "isolation": "process",
    "timeout": 20.0,
    "fuzz_examples": None,
}


def again(document: Document, nodeid: str) -> str:
    """Return the command for a node id; it is to be given in the folder where the run was started."""
    words = ["pytest", *_subjects(document, nodeid), *_options(document["options"])]
    if len(document["seeds"]) == 1 and document["level"] != 1:  # level 1 has one seed of its own
        words.append(f"--plugin-seed={document['seed']}")
    return shlex.join([*words, nodeid])


def _subjects(document: Document, nodeid: str) -> Iterator[str]:
    """Yield what names the module or application that it is about; all of the run where that cannot be told."""
    modules = {plugin["module"] for plugin in document["plugins"] if nodeid.startswith(f"{plugin['id']}::")}
    meant = [source["given"] for source in document["sources"] if source["module"] in modules]
    for name, flag in (("modules", "module"), ("apps", "app")):
        for given in document["options"][name]:
            if len(meant) != 1 or given in meant:
                yield f"--plugin-{flag}={given}"


def _options(options: Mapping[str, Any]) -> Iterator[str]:
    for name in _LISTS:
        yield from (f"--plugin-{name.replace('_', '-')}={value}" for value in options[name])
    for name, usual in _USUAL.items():
        if options[name] != usual:
            yield f"--plugin-{name.replace('_', '-')}={options[name]}"
