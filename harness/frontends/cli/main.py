"""Run the console command ``trt-conformance``: parse the command line, and call the function of the command."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.contract import catalogue, extra_tools
from harness.contract.explaining import explanation
from harness.contract.interface import Interface
from harness.contract.own_names import own
from harness.contract.rule import Severity
from harness.contract.suggestions import suggestion
from harness.contract.thoroughness import NUMBERS
from harness.frontends.cli import record, replay, report
from harness.frontends.cli.parser import USAGE, Parser
from harness.process.machine import version_of

if TYPE_CHECKING:
    import argparse

    from harness.contract.rule import Rule

DISTRIBUTION = "pytest-trt-conformance"
_HELP = (["-h"], ["--help"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command in ``arguments``, by default those of the process; return the exit status."""
    _open_what_is_closed()
    parser = _parser()
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in _WITH_PARSERS:
        module, function, _ = _WITH_PARSERS[words[0]]
        command: Callable[[list[str]], int] = getattr(importlib.import_module(own(module)), function)
        return command(words[1:])
    if words[:1] == ["run"] and words[1:2] not in _HELP:  # argparse would read the script's options
        return _run(parser, words[1:])
    namespace = parser.parse_args(words)
    if namespace.command in _WITH_A_STATUS:
        return _WITH_A_STATUS[namespace.command](parser, namespace)
    try:
        sys.stdout.write(_TEXTS[namespace.command](namespace))
    except catalogue.UnknownRuleError as error:
        hint = suggestion(error.word, error.known)
        sys.stderr.write(f"trt-conformance: error: {error}{hint}; 'trt-conformance rules' lists them\n")
        return USAGE
    except catalogue.CatalogueError as error:
        parser.error(str(error))
    return 0


def _open_what_is_closed() -> None:
    """Open ``/dev/null`` for each standard stream that is closed, before another file gets its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # the lowest free number is the stream's own; processes that are started get it, too
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115, PTH123
            os.set_inheritable(stream.fileno(), True)  # noqa: FBT003 - it takes no name
            setattr(sys, name, stream)


def _parser() -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = Parser(
        prog="trt-conformance",
        description="Tools beside 'pytest --plugin-module=MODULE', which certifies TensorRT plugins.",
    )
    parser.add_argument(
        "--version", action="version", version=f"%(prog)s {version_of(DISTRIBUTION) or '(not installed)'}"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = _command(commands, "run", "run a script in which 'tensorrt' is the reference runtime")
    run.usage = "%(prog)s [--level {8.6,10,11}] SCRIPT [ARGUMENT ...]"
    run.add_argument("program", nargs="+", metavar="SCRIPT", help="a file, or -m and a module; then its own arguments")
    rules = _command(commands, "rules", "list the installed rules")
    rules.add_argument(
        "words", nargs="*", metavar="RULE", help="an id (FMT-001), the beginning of one (FMT, FMT-01), or a severity"
    )
    rules.add_argument("--family", action="append", default=[], help="rules of this family only; repeatable")
    rules.add_argument("--severity", choices=[each.value for each in Severity], help="rules of this severity only")
    rules.add_argument("--interface", choices=[each.value for each in Interface], help="rules about this interface")
    rules.add_argument("--level", type=int, choices=NUMBERS, help="rules that this level judges")
    rules.add_argument("--json", action="store_true", help="all facts, as a JSON list")
    explain = _command(commands, "explain", "explain a rule: requirement, reason, a faulty line and its fix")
    explain.add_argument("--verbose", action="store_true", help="how the rule is checked, and all its examples")
    explain.add_argument(
        "words", nargs="+", metavar="RULE", help="an id, for example FMT-001; of a family (FMT) one line for each rule"
    )
    record.declare(commands)
    replay.declare(commands)
    report.declare(commands)
    for name, (*_, text) in _WITH_PARSERS.items():
        commands.add_parser(name, help=text, add_help=False)
    schema = _command(commands, "schema", "print the JSON Schema of a file that this tool reads or writes")
    schema.add_argument("name", choices=("certificate", "config", "report"), help="the kind of file")
    return parser


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str
) -> argparse.ArgumentParser:
    return commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")


_CERTIFICATES = "harness.frontends.cli.certificates"
#: Commands with separate parsers, whose modules are loaded only for them: module, function, and the help.
_WITH_PARSERS = {
    "certify": (_CERTIFICATES, "issue", "certify plugins in a separate process, and write a certificate"),
    "verify": (_CERTIFICATES, "verify", "check a certificate: form, digest, files, rules, age"),
    "badge": (_CERTIFICATES, "draw", "verify a certificate, and draw a badge of it"),
    "inspect": ("harness.frontends.cli.inspect", "run", "show what is in a compiled library of plugins"),
    "mutate": ("harness.frontends.cli.mutate", "run", "plant defects into plugins, and report which go unnoticed"),
}


def _run(parser: argparse.ArgumentParser, program: list[str]) -> int:
    from harness.child import import_names  # noqa: PLC0415 - it loads the reference runtime, which 'rules' does not need

    _, called = import_names.split_level(program)
    if not called or called == ["-m"]:
        parser.error("run needs a script, or -m and a module; for example: trt-conformance run build_engine.py")
    if called[0] != "-m" and not Path(called[0]).is_file():
        parser.error(f"there is no script {called[0]}")
    sys.path[0] = str(Path.cwd())  # as 'python -m' does; for a script, its folder replaces this
    import_names.main(program)
    return 0


def _schema(namespace: argparse.Namespace) -> str:
    from harness.certificate import statement  # noqa: PLC0415 - as above
    from harness.config import json_schema  # noqa: PLC0415 - other commands need it not
    from harness.results import report  # noqa: PLC0415 - as above

    texts = {"certificate": statement.schema_text, "config": json_schema.text, "report": report.schema_text}
    return texts[namespace.name]()


def _rules(namespace: argparse.Namespace) -> str:
    installed = catalogue.load(extra_tools.ALL)
    for family in namespace.family:
        if family not in installed.families:
            raise catalogue.UnknownRuleError(family, installed.families)
    named = installed.matching(namespace.words) if namespace.words else frozenset(installed.rules)
    listed = [rule for rule in installed.rules.values() if rule.id in named and _is_listed(rule, namespace)]
    if namespace.json:
        return json.dumps([explanation.as_data(rule) for rule in listed], indent=1) + "\n"
    return "".join(map(_line, listed))


def _is_listed(rule: Rule, namespace: argparse.Namespace) -> bool:
    return (
        (not namespace.family or rule.family in namespace.family)
        and (not namespace.severity or rule.severity.value == namespace.severity)
        and (not namespace.interface or Interface(namespace.interface) in rule.interfaces)
        and (not namespace.level or rule.level <= namespace.level)
    )


def _explain(namespace: argparse.Namespace) -> str:
    """Return the explanation of each id, and for each other word a line for each of its rules."""
    installed = catalogue.load(extra_tools.ALL)
    texts = []
    for word in namespace.words:
        if word in installed.rules:
            texts.append(explanation.explanation(installed[word], verbose=namespace.verbose))
        else:
            named = installed.matching([word])
            texts.append("".join(_line(rule) for rule in installed.rules.values() if rule.id in named))
    return "\n\n".join(texts)


def _line(rule: Rule) -> str:
    return f"{rule.id}  {rule.severity.value:<7}  {rule.requirement.replace('``', '')}\n"


#: The functions of commands that print by themselves and return an exit status.
_WITH_A_STATUS: dict[str, Callable[[argparse.ArgumentParser, argparse.Namespace], int]] = {
    "record": record.run,
    "replay": replay.run,
    "report": lambda _, namespace: report.make(namespace),
}
#: The functions of commands that return a text to print.
_TEXTS: dict[str, Callable[[argparse.Namespace], str]] = {
    "explain": _explain,
    "rules": _rules,
    "schema": _schema,
}
