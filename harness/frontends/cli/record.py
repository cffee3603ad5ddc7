"""Run ``trt-conformance record``: run a program, and write the cases of the plugins that it uses."""

from __future__ import annotations

import argparse
import importlib
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness.config import program as programs
from harness.contract.api_level import DEFAULT, SPECS
from harness.contract.wording import counted

if TYPE_CHECKING:
    from harness.child.recording.recorded import Recorded


def declare(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its arguments."""
    parser = commands.add_parser(
        "record",
        help="run a program, and write down the cases of the plugins that it uses",
        description="Run a program, and write down the cases of the plugins that it uses.",
        epilog="Exit status: 0 there are cases, 1 the program used no plugin, 4 usage.",
    )
    parser.usage = "%(prog)s [-o FILE] [--level {8.6,10,11}] PROGRAM [ARGUMENT ...]"
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="where to write them (default: print them)")
    parser.add_argument("--level", choices=SPECS, default=DEFAULT, help="the API level (default: %(default)s)")
    parser.add_argument("program", metavar="PROGRAM", help="SCRIPT.py, or MODULE:FUNCTION")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="the program's own arguments")


def run(parser: argparse.ArgumentParser, namespace: argparse.Namespace) -> int:
    """Run the program, write its cases, and return the exit status."""
    try:
        program = programs.parse(shlex.join([namespace.program, *namespace.arguments]))
    except ValueError as error:
        parser.error(f"{namespace.program}: {error}")
    recorded = _recorded(parser, program, namespace.level)
    for line in [*recorded.problems, *([f"the program ended with\n{recorded.error}"] if recorded.error else [])]:
        sys.stderr.write(f"trt-conformance: {line}\n")
    if not recorded.cases:
        sys.stderr.write("trt-conformance: the program built no network with a plugin; no file was written\n")
        return 1
    from harness.child.recording.text import text_of  # noqa: PLC0415 - it loads the reference runtime

    text = text_of(
        recorded.cases, f"The cases of the plugins that {_title(program)} uses, as trt-conformance record saw them."
    )
    if namespace.output is None:
        sys.stdout.write(text)
    else:
        namespace.output.write_text(text, encoding="utf-8")
        sys.stderr.write(
            f"{namespace.output}: {counted(len(recorded.cases), 'case')}; {_next(program, namespace.output)}\n"
        )
    return 0


def _recorded(parser: argparse.ArgumentParser, program: programs.Program, level: str) -> Recorded:
    levels = importlib.import_module("reference_runtime.levels")  # the level must be set before other imports
    levels.apply(level)
    from harness.applications.scripts import NoScriptError  # noqa: PLC0415 - it loads the reference runtime
    from harness.child import import_names, user_module  # noqa: PLC0415 - as above
    from harness.child.recording.recorded import on_the_host  # noqa: PLC0415 - as above

    import_names.install(cupy=True)
    sys.path[0] = str(Path.cwd())
    try:
        return on_the_host(program, user_module.import_module)
    except (NoScriptError, user_module.ModuleMissingError) as error:
        parser.error(str(error))


def _title(program: programs.Program) -> str:
    words = [Path(program.module).name if program.is_script else f"{program.module}:{program.function}"]
    return shlex.join([*words, *program.arguments])


def _next(program: programs.Program, output: Path) -> str:
    return f"pytest --plugin-module={program.module} --plugin-cases={output}"
