"""Run ``trt-conformance inspect``: print the contents of a compiled library of plugins."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import Any

from harness.contract import own_names
from harness.frontends.cli.parser import USAGE, Parser
from harness.process import own_clock

_START = "from harness.child import inspection; sys.exit(inspection.main(*sys.argv[1:]))"
_FAILED = 1
_SECONDS = 60.0
#: The number of names that a list shows without ``--json``.
_BESIDE = 12


def run(arguments: list[str]) -> int:
    """Print the contents of a library, and return 0.

    Return 4 if the library cannot be inspected, and 1 if loading it kills the process or takes too long.
    """
    namespace = _parser().parse(arguments)
    try:
        lines, problem = _asked(namespace.library, namespace.spec)
    except subprocess.TimeoutExpired:
        lines, problem = [], f"{namespace.library} was not loaded within {_SECONDS:g} s"
    errors = [line["error"] for line in lines if "error" in line]
    facts = {name: value for line in lines for name, value in line.items() if name != "error"}
    if errors or problem:
        sys.stderr.write(f"trt-conformance inspect: error: {(errors or [problem])[0]}\n")
        return USAGE if errors else _FAILED
    sys.stdout.write(
        f"{json.dumps(facts, indent=2)}\n" if namespace.json else "".join(f"{each}\n" for each in _text(facts))
    )
    return 0


def _parser() -> Parser:
    parser = Parser(prog="trt-conformance inspect", description="Show what is in a compiled library of plugins.")
    parser.add_argument("library", metavar="LIBRARY", help="the file, such as build/libmyplugins.so")
    parser.add_argument("--spec", choices=("8.6", "10", "11"), default="", help="the API level, where none is linked")
    parser.add_argument("--json", action="store_true", help="all facts, as a JSON object")
    return parser


def _asked(library: str, spec: str) -> tuple[list[dict[str, Any]], str]:
    """Inspect the library in a separate process; return the objects that it printed, and how it died if it did."""
    command = own_names.command(_START, library, *[spec] * bool(spec))
    done = own_clock.output_of(command, seconds=_SECONDS)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not done.returncode and lines and ("creators" in lines[-1] or "error" in lines[-1]):
        return lines, ""
    died = signal.Signals(-done.returncode).name if done.returncode < 0 else f"exit status {done.returncode}"
    said = (done.stderr.strip().splitlines() or [""])[-1]
    return lines, f"loading {library} ended its process: {died}{f'; it said: {said}' if said else ''}"


def _text(facts: dict[str, Any]) -> list[str]:
    made_for = f" for {', '.join(facts['architectures'])}" if facts["architectures"] else ""
    kernels = f"{len(facts['kernels'])} kernels{made_for}"
    lines = [
        f"{facts['file']}",
        f"  build id   {facts['build_id'] or 'none'}, sha256 {facts['sha256']}",
        f"  TensorRT   {facts['level']} ({facts['tensorrt'] or 'none is linked'})",
        f"  needs      {', '.join(facts['needs'])}",
        f"  calls      {_some(facts['of_nvidia'])}",
        f"  CUDA       runtime: {facts['cuda_runtime']}; {kernels}",
        f"  loaders    {', '.join(facts['loaders']) or 'none: it registers itself'}",
        f"  hardening  {', '.join(f'{name} {_word(value)}' for name, value in facts['hardening'].items())}",
    ]
    for creator in facts["creators"]:
        key = f"{creator['namespace']}/{creator['name']}/{creator['version']}"
        lines.append(f"{key} · {creator['class']}, {creator['interface']} of {creator['plugins'] or 'an IPluginV2'}")
        lines += [f"  {field['name']}: {field['type']}" for field in creator["fields"]]
    return [*lines, *(f"kernel {each}" for each in facts["kernels"][:_BESIDE]), *_rest(facts["kernels"])]


def _some(names: list[str]) -> str:
    return ", ".join([*names[:_BESIDE], *_rest(names)]) or "no library of NVIDIA's"


def _rest(names: list[str]) -> list[str]:
    return [f"and {len(names) - _BESIDE} more"] if len(names) > _BESIDE else []


def _word(value: bool | str) -> str:  # noqa: FBT001 - a fact of a file
    return value if isinstance(value, str) else "yes" if value else "no"
