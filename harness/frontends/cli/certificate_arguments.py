"""Parse the command lines of ``certify``, ``verify`` and ``badge``."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.config import values
from harness.config.declarations import OPTIONS, Use
from harness.contract.thoroughness import Thoroughness
from harness.frontends.cli import parser as arguments
from harness.frontends.cli.parser import Parser, argument, declare

if TYPE_CHECKING:
    import argparse

    from harness.config.options import Options

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_TOO_LITTLE = "level 1 leaves rules out, and a certificate is about every rule: take 5 or 10"
#: The help texts of options that ``certify`` takes differently from pytest.
_HELP = {
    "level": "5 (default: every rule) or 10 (exhaustive)",
    "spec": "as --plugin-spec: 8.6, 10 (default) or 11",
}
#: Options of pytest that ``certify`` refuses, each with the reason and advice.
_REFUSED = {
    "--select": "a certificate is about every rule: leave it out",
    "--ignore": "a certificate is about every rule: leave it out, or list known failures with --expected-failures",
    "--isolation": "a certificate judges each plugin in its own process: leave it out",
    "--report": "a certificate is no report; for one, run pytest with --plugin-report=FORMAT:PATH",
}


class _Certify(Parser):
    """A parser that says why ``certify`` refuses an option of pytest."""

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return the arguments of the command line."""
        for word in arguments:
            flag = word.partition("=")[0].replace("--plugin-", "--")
            if flag in _REFUSED:
                self.error(f"{word}: {_REFUSED[flag]}")
        return super().parse(arguments)


def certify_parser() -> Parser:
    """Return the parser of ``trt-conformance certify``."""
    parser = _Certify(
        prog="trt-conformance certify",
        description="Certify TensorRT plugins in a separate process and write a certificate: an in-toto attestation.",
        epilog="Exit status: 0 it conforms, 1 it does not (the certificate says so), 2 interrupted,"
        " 3 internal error, 4 usage.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "modules", nargs="*", metavar="MODULE", help="as --plugin-module: a dotted name, file or package"
    )
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="PATH", help="the certificate to write")
    declare(parser, [each for each in OPTIONS if Use.CERTIFY in each.uses and each.name != "module"], _HELP)
    parser.add_argument("-n", dest="workers", type=argument(_workers), metavar="N", help="workers of pytest-xdist")
    parser.add_argument("--color", default="", choices=("yes", "no", "auto"), help="as pytest's")
    parser.add_argument("--url", help="where the run can be looked up, for example the job in CI")
    return parser


def options_of(parser: Parser, namespace: argparse.Namespace) -> Options:
    """Return the options of the run for a command line of ``certify``; exit if they are wrong."""
    if not namespace.modules and not namespace.libraries and not namespace.apps:
        parser.error("name the plugins to certify, for example: trt-conformance certify my_plugins -o cert.json")
    options = arguments.options_of(parser, namespace)
    if options.level is Thoroughness.SMOKE:
        parser.error(f"argument --level: {_TOO_LITTLE}")
    return options


def verify_parser() -> Parser:
    """Return the parser of ``trt-conformance verify``."""
    parser = Parser(
        prog="trt-conformance verify",
        description="Check a certificate: form, digest, files, rules, age. Without a network.",
        epilog="Exit status: 0 it holds and says that the plugins conform, 1 it does not, 4 usage, or no certificate.",
        allow_abbrev=False,
    )
    _add_certificate(parser)
    parser.add_argument("--max-age", type=argument(_age), metavar="AGE", help="how old it may be: 90d, 12h, 2w")
    parser.add_argument("--level", type=argument(_level), help="the level that it must have been judged at, at least")
    parser.add_argument(
        "--require", action="append", default=[], metavar="RULES", help="rules that must have passed on every case"
    )
    return parser


def badge_parser() -> Parser:
    """Return the parser of ``trt-conformance badge``."""
    parser = Parser(
        prog="trt-conformance badge",
        description="Verify a certificate and draw a badge of it: an SVG, red where it fails or does not hold.",
        epilog="Exit status: 0 the badge confirms the certificate, 1 the certificate does not hold, "
        "4 usage, or no certificate.",
        allow_abbrev=False,
    )
    _add_certificate(parser)
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="PATH", help="the badge to write")
    return parser


def _add_certificate(parser: Parser) -> None:
    parser.add_argument("certificate", type=Path, metavar="CERTIFICATE", help="what certify wrote")
    parser.add_argument(
        "--plugin", type=Path, metavar="PATH", help="where the plugin is, or the folder that names are relative to"
    )
    parser.add_argument("--other-rules", action="store_true", help="accept that other rules are installed here")


def _level(word: str) -> int:
    level = values.word(word, Thoroughness)
    if level is Thoroughness.SMOKE:
        raise ValueError(_TOO_LITTLE)
    return level.number


def _workers(word: str) -> str:
    if word not in {"auto", "logical"}:
        values.number(word, 1)
    return word


def _age(word: str) -> dt.timedelta:
    age = re.fullmatch(r"([0-9]{1,6})([smhdw])", word)
    if not age:
        raise ValueError("write a number and s, m, h, d or w, for example 90d")
    return dt.timedelta(seconds=int(age[1]) * _UNITS[age[2]])
