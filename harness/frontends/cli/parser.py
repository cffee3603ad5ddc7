"""Parse the command lines of ``trt-conformance``; usage errors have pytest's exit status 4."""

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

#: pytest's exit status of a usage error.
USAGE = 4
T = TypeVar("T")


class Parser(argparse.ArgumentParser):
    """A parser that prints an error in one line and exits with status 4; parsers of subcommands do so, too."""

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return the arguments; for an unknown option, exit with an error that suggests a known one."""
        namespace, others = self.parse_known_args(list(arguments))
        if others:
            flag = others[0].partition("=")[0]
            near = flag.replace("--plugin-", "--")
            known = [each for each in self._option_string_actions if each.startswith("--")]
            self.error(f"{others[0]}: unknown option{suggestion(near, known) if flag.startswith('-') else ''}")
        return namespace

    def error(self, message: str) -> NoReturn:
        """Print the error, and exit with status 4."""
        sys.stderr.write(f"{self.prog}: error: {message}\n{self.prog} --help lists the options\n")
        raise SystemExit(USAGE)


class _Argument(Given, frozen=True):
    """The values of an option, which error messages quote as argparse does."""

    def quote(self, value: str) -> str:
        """Return the option with one of its values, for an error message."""
        return f"argument {self.spelling}: {value!r}"


def argument(read: Callable[[str], T]) -> Callable[[str], T]:
    """Return a ``type`` for argparse that calls ``read`` and shows the message of its ``ValueError``."""

    def convert(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"{text!r}: {error}") from error

    return convert


def declare(parser: argparse.ArgumentParser, chosen: Iterable[Option], helps: Mapping[str, str]) -> None:
    """Declare options of pytest as arguments of a command; ``helps`` has the help texts that differ, by name."""
    for option in chosen:
        how: dict[str, Any] = {"action": "append", "default": []} if option.repeatable else {}
        shown = helps.get(option.name, f"as {option.flag}{'; repeatable' if option.repeatable else ''}")
        metavar = option.metavar
        if option.kind in {Kind.LEVEL, Kind.WORD}:  # the words themselves: there are few
            metavar = f"{{{','.join(str(each.value) for each in type(option_values.default_of(option)))}}}"
        parser.add_argument(f"--{option.name}", dest=option.field, metavar=metavar, help=shown, **how)


def options_of(parser: argparse.ArgumentParser, namespace: argparse.Namespace) -> Options:
    """Return the options of a run from parsed arguments; exit with an error if they are wrong."""
    texts = {option: getattr(namespace, option.field, None) for option in OPTIONS}
    said = {
        option.name: _Argument(tuple(dict.fromkeys(text)) if option.repeatable else (text,), f"--{option.name}")
        for option, text in texts.items()
        if text is not None
    }
    try:
        return option_values.made(said, Path.cwd())
    except UsageError as error:
        parser.error(str(error))
