"""Run ``trt-conformance replay``: read the example, judge it again, and print the outcome."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from harness.config.declarations import OPTIONS, Use
from harness.controller.fuzz import saved_examples
from harness.frontends.cli.parser import declare as declare_options
from harness.frontends.cli.parser import options_of
from harness.protocol.messages import Request


def declare(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its arguments."""
    parser = commands.add_parser(
        "replay",
        help="judge again what failed: FIXED (exit 0), STILL FAILS (exit 1) or CANNOT RUN (exit 2)",
        description="Judge again what failed, as the line 'replay' of a violation says it.",
        epilog="Exit status: 0 FIXED, 1 STILL FAILS, 2 CANNOT RUN, 4 usage.",
    )
    parser.add_argument("id", metavar="ID", help="an id as the report prints it: conformance::/Bar/1::rows::FUZ-003")
    parser.add_argument("--module", help="the module of the plugin; without it, all is read from pytest's cache")
    declare_options(parser, [option for option in OPTIONS if Use.REPLAY in option.uses], {})
    parser.add_argument(
        "--example", action="append", default=[], type=_example, help="JSON, or @FILE; repeatable: one after the other"
    )
    parser.add_argument("--cache", type=Path, help="pytest's cache (default: .pytest_cache here or further up)")


def run(parser: argparse.ArgumentParser, namespace: argparse.Namespace) -> int:
    """Judge the example again, print the outcome, and return the exit status."""
    from harness.controller import replay  # noqa: PLC0415 - other commands need not load it
    from harness.controller.children import device_routing  # noqa: PLC0415 - as above
    from harness.controller.children.factory import ChildFactory  # noqa: PLC0415 - as above

    try:
        plugin, case, rule = replay.parts_of(namespace.id)
    except ValueError as error:
        parser.error(str(error))
    options = options_of(parser, namespace)
    request = Request(rule, plugin, case, options.seed or 0, options.level.number, examples=namespace.example)
    if namespace.module:
        folders = tuple(dict.fromkeys((str(Path.cwd()), *filter(None, sys.path))))
        child = ChildFactory(options, device_routing.HOST, folders, "").settings(namespace.module, options.spec.value)
        record: saved_examples.SavedExample | None = saved_examples.SavedExample(child, request)
    else:
        record = _read(namespace.cache, request)
    if record is None:
        why = "no failing example of it is saved in pytest's cache: give --module and --example, or --cache"
        replayed = replay.Replayed(replay.ReplayOutcome.CANNOT_RUN, [why])
    else:
        replayed = replay.replay(record)
    sys.stdout.write("\n".join([f"{replayed.outcome.words}  {namespace.id}", *replayed.lines]) + "\n")
    return replayed.outcome.value


def _read(cache: Path | None, request: Request) -> saved_examples.SavedExample | None:
    """Return the saved example of a rule on a case; None if there is none.

    It comes from ``cache``, or from the first cache with one in the current folder and those above it.
    """
    here = Path.cwd()
    for folder in [cache] if cache else [each / ".pytest_cache" for each in (here, *here.parents)]:
        file = saved_examples.file_of(folder, request)
        if file.is_file():
            try:
                return saved_examples.SavedExample.read(json.loads(file.read_bytes()))
            except ValueError:
                return None
    return None


def _example(text: str) -> Any:
    try:
        return json.loads(Path(text[1:]).read_text(encoding="utf-8") if text.startswith("@") else text)
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}; give JSON, or @ and the name of a file with it") from error
