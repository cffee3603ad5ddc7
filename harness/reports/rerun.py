"""The command that judges one item again, with the options of the run that showed it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from harness.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Options that a verdict depends on, by the field that holds them.
_REPEATED = {"cases": "cases", "onnx": "onnx", "onnx-dims": "onnx_dims"}
_CHOSEN = {
    "level": "level",
    "spec": "spec",
    "device": "device",
    "addresses": "addresses",
}


def command(options: Options, given: str, nodeid: str) -> str:
    """Return the command; what it leaves out is as in every run.

    Args:
        options: The options of the run.
        given: The module or application as the user named it.
        nodeid: The item.
    """
    subject = "app" if given in options.apps else "module"
    return shlex.join(["pytest", f"--plugin-{subject}={given}", *_further(options), nodeid])


def _further(options: Options) -> Iterator[str]:
    for name, field in _REPEATED.items():
        yield from (f"--plugin-{name}={value}" for value in getattr(options, field))
    if options.setup:
        yield f"--plugin-setup={options.setup}"
    for name, field in _CHOSEN.items():
        value = getattr(options, field)
        if value is not getattr(Options, field):
            yield f"--plugin-{name}={value.value}"
    if options.seed is not None:
        yield f"--plugin-seed={options.seed}"
    if options.timeout != Options.timeout:
        yield f"--plugin-timeout={options.timeout:g}"
    if options.sanitizer:
        yield f"--plugin-sanitizer={','.join(tool.value for tool in options.sanitizer)}"
