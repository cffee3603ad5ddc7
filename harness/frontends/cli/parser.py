"""Read the command line of every ``trt-conformance`` command: an error says what to do, with exit status 4."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from harness.config import options as option_values
from harness.config.declarations import OPTIONS, Kind
from harness.config.errors import UsageError
from harness.config.values import Given
from harness.contract.suggestions import suggestion

if TYPE_CHECKING:
    from harness.config.declarations import Option
    from harness.config.options import Options

#: pytest's exit status for what makes no sense.
USAGE = 4
T = TypeVar("T")


class Parser(argparse.ArgumentParser):
    """Prints an error in one line and ends with pytest's exit status; its commands have parsers like it."""

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return what the command line says, or suggest the option that an unknown one may mean."""
        given, others = self.parse_known_args(list(arguments))
        if others:
            flag = others[0].partition("=")[0]
            near = flag.replace("--plugin-", "--")
            known = [each for each in self._option_string_actions if each.startswith("--")]
            self.error(f"{others[0]}: unknown option{suggestion(near, known) if flag.startswith('-') else ''}")
        return given

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, and exit."""
        sys.stderr.write(f"{self.prog}: error: {message}\n{self.prog} --help lists the options\n")
        raise SystemExit(USAGE)


class _Argument(Given, frozen=True):
    """An option as argparse quotes one."""

    def quote(self, value: str) -> str:
        """Return the option with one of its values."""
        return f"argument {self.spelling}: {value!r}"


def argument(read: Callable[[str], T]) -> Callable[[str], T]:
    """Return a reader of texts whose ``ValueError`` says what to write, as argparse takes one."""

    def told(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"{text!r}: {error}") from error

    return told


def declare(parser: argparse.ArgumentParser, chosen: Iterable[Option], told: Mapping[str, str]) -> None:
    """Declare options of a run as arguments of a command; ``told`` has the help texts that differ."""
    for option in chosen:
        how: dict[str, Any] = {"action": "append", "default": []} if option.repeatable else {}
        shown = told.get(option.name, f"as {option.flag}{'; repeatable' if option.repeatable else ''}")
        metavar = option.metavar
        if option.kind in {Kind.LEVEL, Kind.WORD}:  # the words themselves: there are few
            metavar = f"{{{','.join(str(each.value) for each in type(option_values.default_of(option)))}}}"
        parser.add_argument(f"--{option.name}", dest=option.field, metavar=metavar, help=shown, **how)


def options_of(parser: argparse.ArgumentParser, given: argparse.Namespace) -> Options:
    """Return the options of a run that arguments say."""
    texts = {option: getattr(given, option.field, None) for option in OPTIONS}
    said = {
        option.name: _Argument(tuple(dict.fromkeys(text)) if option.repeatable else (text,), f"--{option.name}")
        for option, text in texts.items()
        if text is not None
    }
    try:
        return option_values.made(said, Path.cwd())
    except UsageError as error:
        parser.error(str(error))
