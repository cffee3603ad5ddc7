"""The command lines of ``certify``, ``verify`` and ``badge``: one error that says what to do, exit status 4."""

from __future__ import annotations

import argparse
import datetime as dt
import math
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from harness.config import onnx_dims
from harness.config.options import AddressChoice, DeviceChoice, FailOn, Options
from harness.contract.api_level import ApiLevel
from harness.contract.sanitizer_tool import Tool
from harness.contract.suggestions import suggestion
from harness.contract.thoroughness import Thoroughness

if TYPE_CHECKING:
    import enum
    from collections.abc import Sequence

__all__ = ["USAGE", "Parser", "badge_parser", "certify_parser", "options_of", "verify_parser"]

#: pytest's exit status for what makes no sense.
USAGE = 4
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
#: Options of a run of pytest that a certificate does without, and why.
_REFUSED = {
    "--select": "a certificate is about every rule: leave it out",
    "--ignore": "a certificate is about every rule: leave it out, or list known failures with --expected-failures",
    "--isolation": "a certificate judges each plugin in a process of its own: leave it out",
    "--report": "a certificate is no report; for one, run pytest with --plugin-report=FORMAT:PATH",
}


class Parser(argparse.ArgumentParser):
    """Tells an error in one line, with the option that may have been meant."""

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return what the command line says; exit with 4 where it makes no sense."""
        for word in arguments:
            flag = word.partition("=")[0].replace("--plugin-", "--")
            if flag in _REFUSED and flag not in self._option_string_actions:
                self.error(f"{word}: {_REFUSED[flag]}")
        given, others = self.parse_known_args(list(arguments))
        if others:
            flag = others[0].partition("=")[0]
            near = flag.replace("--plugin-", "--")
            known = [each for each in self._option_string_actions if each.startswith("--")]
            self.error(f"{others[0]}: no such option{suggestion(near, known) if flag.startswith('-') else ''}")
        return given

    def error(self, message: str) -> NoReturn:
        """Tell what makes no sense, and exit with 4."""
        sys.stderr.write(f"{self.prog}: error: {message}\n{self.prog} --help lists the options\n")
        raise SystemExit(USAGE)


def certify_parser() -> Parser:
    """Return the parser of ``trt-conformance certify``."""
    parser = Parser(
        prog="trt-conformance certify",
        description="Certify TensorRT plugins in a process of its own and write a certificate: an in-toto attestation.",
        epilog="Exit status: 0 it conforms, 1 it does not (the certificate says so), 2 interrupted and nothing written,"
        " 3 internal error, 4 usage.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "module", nargs="*", metavar="MODULE", help="as --plugin-module: a dotted name, file or package"
    )
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="PATH", help="the certificate to write")
    _add_options_of_a_run(parser)
    parser.add_argument("-n", dest="workers", type=_workers, metavar="N", help="workers of pytest-xdist")
    parser.add_argument("--color", default="", choices=("yes", "no", "auto"), help="as pytest's")
    parser.add_argument("--url", help="where the run can be looked up, for example the job in CI")
    return parser


def _add_options_of_a_run(parser: Parser) -> None:
    parser.add_argument("--app", action="append", default=[], metavar="MODULE:FUNCTION", help="as --plugin-app")
    parser.add_argument("--cases", action="append", default=[], metavar="MODULE", help="as --plugin-cases; repeatable")
    parser.add_argument("--setup", default="", metavar="MODULE:FUNCTION", help="as --plugin-setup")
    parser.add_argument("--onnx", action="append", default=[], type=_file, metavar="MODEL", help="as --plugin-onnx")
    parser.add_argument(
        "--onnx-dims", action="append", default=[], metavar="NAME=MIN:OPT:MAX", help="as --plugin-onnx-dims"
    )
    parser.add_argument("--expected-failures", type=_file, metavar="PATH", help="as --plugin-expected-failures")
    parser.add_argument(
        "--level", default=Thoroughness.DEFAULT, type=_level, help="5 (default: every rule) or 10 (exhaustive)"
    )
    parser.add_argument(
        "--spec", default=ApiLevel.V10, type=_of(ApiLevel), help="as --plugin-spec: 8.6, 10 (default) or 11"
    )
    parser.add_argument("--fail-on", default=FailOn.ERROR, type=_of(FailOn), help="as --plugin-fail-on")
    parser.add_argument("--device", default=DeviceChoice.AUTO, type=_of(DeviceChoice), help="as --plugin-device")
    parser.add_argument(
        "--addresses", default=AddressChoice.OPAQUE, type=_of(AddressChoice), help="as --plugin-addresses"
    )
    parser.add_argument("--timeout", default=Options.timeout, type=_seconds, help="as --plugin-timeout")
    parser.add_argument("--seed", type=_from(0), help="as --plugin-seed")
    parser.add_argument("--fuzz-examples", type=_from(1), metavar="NUMBER", help="as --plugin-fuzz-examples")
    parser.add_argument("--fuzz-time", type=_seconds, metavar="SECONDS", help="as --plugin-fuzz-time")
    parser.add_argument("--sanitizer", action="append", default=[], metavar="TOOLS", help="as --plugin-sanitizer")


def options_of(parser: Parser, given: argparse.Namespace) -> Options:
    """Return the options of the run that a command line of ``certify`` asks for."""
    if not given.module and not given.app:
        parser.error("name the plugins to certify, for example: trt-conformance certify my_plugins -o cert.json")
    names = dict.fromkeys(part.strip() for word in given.sanitizer for part in word.split(","))
    try:
        tools = {_of(Tool)(name) for name in names if name}
        onnx_dims.parse(_split(given.onnx_dims))
    except (argparse.ArgumentTypeError, onnx_dims.DimsError) as error:
        parser.error(str(error))
    return Options(
        modules=tuple(dict.fromkeys(given.module)),
        apps=tuple(dict.fromkeys(given.app)),
        cases=tuple(given.cases),
        setup=given.setup,
        onnx=tuple(given.onnx),
        onnx_dims=_split(given.onnx_dims),
        expected_failures=given.expected_failures or "",
        level=given.level,
        spec=given.spec,
        fail_on=given.fail_on,
        device=given.device,
        addresses=given.addresses,
        timeout=given.timeout,
        seed=given.seed,
        fuzz_examples=given.fuzz_examples,
        fuzz_time=given.fuzz_time,
        sanitizer=tuple(tool for tool in Tool if tool in tools),
    )


def verify_parser() -> Parser:
    """Return the parser of ``trt-conformance verify``."""
    parser = Parser(
        prog="trt-conformance verify",
        description="Check a certificate: form, digest, files, rules, age. Without a network.",
        epilog="Exit status: 0 it holds and says that the plugins conform, 1 it does not, 4 usage, or no certificate.",
        allow_abbrev=False,
    )
    _add_certificate(parser)
    parser.add_argument("--max-age", type=_age, metavar="AGE", help="how old it may be: 90d, 12h, 2w")
    parser.add_argument("--level", type=_level_number, help="the level that it must have been judged at, at least")
    parser.add_argument(
        "--require", action="append", default=[], metavar="RULES", help="rules that must have passed on every case"
    )
    return parser


def badge_parser() -> Parser:
    """Return the parser of ``trt-conformance badge``."""
    parser = Parser(
        prog="trt-conformance badge",
        description="Verify a certificate and draw a badge of it: an SVG, red where it fails or does not hold.",
        epilog="Exit status: 0 the badge says what the certificate does, 1 it does not hold and the badge says so, "
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


def _split(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(part.strip() for word in words for part in word.split(",") if part.strip())


def _of(kind: type[enum.Enum]) -> Any:
    """Return what reads a member of an enumeration."""
    words = [str(member.value) for member in kind]

    def read(word: str) -> Any:
        if word not in words:
            begun = next((each for each in words if word.startswith(each)), word)  # 10.16 is nearer to 10 than to 11
            hint = suggestion(begun, words)
            raise argparse.ArgumentTypeError(f"{word!r} is unknown; choose from {', '.join(words)}{hint}")
        return kind(word)

    return read


def _level(word: str) -> Thoroughness:
    level: Thoroughness = _of(Thoroughness)(word)
    if level is Thoroughness.SMOKE:
        raise argparse.ArgumentTypeError(
            "level 1 leaves rules out, and a certificate is about every rule: take 5 or 10"
        )
    return level


def _level_number(word: str) -> int:
    return _level(word).number


def _file(word: str) -> str:
    path = Path.cwd() / Path(word).expanduser()
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {path}")
    return str(path)


def _seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{word!r}: give a number of seconds above 0, for example 20")
    return seconds


def _from(least: int) -> Any:
    def read(word: str) -> int:
        if not word.isdecimal() or int(word) < least:
            raise argparse.ArgumentTypeError(f"{word!r}: give a whole number from {least} up")
        return int(word)

    return read


def _workers(word: str) -> str:
    if word not in {"auto", "logical"}:
        _from(1)(word)
    return word


def _age(word: str) -> dt.timedelta:
    found = re.fullmatch(r"([0-9]{1,6})([smhdw])", word)
    if not found:
        raise argparse.ArgumentTypeError(f"{word!r}: write a number and s, m, h, d or w, for example 90d")
    return dt.timedelta(seconds=int(found[1]) * _UNITS[found[2]])
