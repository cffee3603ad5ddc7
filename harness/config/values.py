"""Find the values of an option in their sources, and parse them."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from harness.config import onnx_dims, program
from harness.config.declarations import Kind
from harness.config.errors import UsageError
from harness.config.report_targets import STDOUT, ReportFormat, ReportTarget
from harness.contract.sanitizer_tool import Tool
from harness.contract.suggestions import suggestion

if TYPE_CHECKING:
    from harness.config.declarations import Option
    from harness.config.pyproject import Table

Chosen = TypeVar("Chosen", bound=enum.Enum)


class OptionSource(enum.Enum):
    """The source of an option's value; earlier members take precedence."""

    COMMAND = enum.auto()
    ENVIRONMENT = enum.auto()
    INI = enum.auto()
    TABLE = enum.auto()
    NOWHERE = enum.auto()


class Given(msgspec.Struct, frozen=True):
    """The values of one option as texts, with their source and with the option's spelling there, for messages."""

    values: tuple[str, ...]
    spelling: str
    origin: OptionSource = OptionSource.COMMAND

    def quote(self, value: str) -> str:
        """Return the option with one of its values, as the user wrote it."""
        return f"{self.spelling}={value}"


class Host(msgspec.Struct, frozen=True):
    """The options that the running program provides, and the folder that it runs in.

    Attributes:
        folder: The folder of relative paths. ``pyproject.toml`` is searched in it and in the folders above.
        reads_table: Whether the table in ``pyproject.toml`` is read.
        command_line: The values on the command line, by option name.
        ini_file: The values in the ini file, by option name.
    """

    folder: Path
    reads_table: bool
    command_line: Mapping[str, tuple[str, ...]]
    ini_file: Mapping[str, tuple[str, ...]]


def given_values(host: Host, option: Option, environment: Mapping[str, str], table: Table | None = None) -> Given:
    """Return the values of an option from the first of command line, environment, ini file and table that has any."""
    if values := host.command_line[option.name]:
        return Given(values, option.flag)
    if text := environment.get(option.variable):
        return Given(split([text]) if option.repeatable else (text,), option.variable, OptionSource.ENVIRONMENT)
    if values := host.ini_file[option.name]:
        return Given(values, option.ini, OptionSource.INI)
    if table is not None and option.name in table.entries:
        return Given(table.entries[option.name], table.spelling(option.name), OptionSource.TABLE)
    return Given((), option.ini, OptionSource.NOWHERE)


def read(option: Option, setting: Given, default: Any, folder: Path) -> Any:
    """Return the parsed value of an option, or its default if it was not given.

    An option whose kind is LEVEL or WORD has the values of the default's type, which is an enumeration.

    Raises:
        UsageError: A text is no value of the option; the message says what to write.
    """
    texts = split(setting.values) if option.kind in _SEPARATED else setting.values
    if not texts:
        return default
    parsed = [_parsed(option, setting, text, type(default), folder) for text in texts]
    if option.kind is Kind.TOOLS:
        return tuple(tool for tool in Tool if tool in parsed)
    return tuple(parsed) if option.repeatable else parsed[0]


def _parsed(option: Option, setting: Given, text: str, words: type[Any], folder: Path) -> Any:
    try:
        if option.kind in {Kind.LEVEL, Kind.WORD}:
            return word(text, words)
        return _READERS[option.kind](option, text, folder)
    except ValueError as error:
        raise UsageError(f"{setting.quote(text)}: {error}") from error


def split(values: Iterable[str]) -> tuple[str, ...]:
    """Return the parts of texts that commas separate."""
    parts = (part.strip() for value in values for part in value.split(","))
    return tuple(part for part in parts if part)


def word(text: str, kind: type[Chosen]) -> Chosen:
    """Return the member of an enumeration that a text names.

    Raises:
        ValueError: The text names no member; the message says what to write.
    """
    words = [str(member.value) for member in kind]
    if text not in words:
        begun = next((word for word in words if text.startswith(word)), text)  # 10.16 is nearer to 10 than to 11
        raise ValueError(f"unknown value; choose from {', '.join(words)}{suggestion(begun, words)}")
    return kind(text)


def number(text: str, least: int) -> int:
    """Return the whole number in a text.

    Raises:
        ValueError: The text is no whole number, or the number is below ``least``; the message says what to write.
    """
    if not text.isdecimal() or int(text) < least:
        raise ValueError(f"give a whole number from {least} up, for example {least}")
    return int(text)


def _seconds(text: str) -> float:
    seconds = _float(text)
    if not 0 < seconds < math.inf:
        raise ValueError("give a number of seconds above 0, for example 20")
    return seconds


def _share(text: str) -> float:
    """Return a percentage as a share of 1."""
    percent = _float(text.removesuffix("%"))
    if not 0 < percent < 100:  # noqa: PLR2004 - per cent
        raise ValueError("give a percentage above 0 and below 100, for example 3%")
    return percent / 100


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _function(option: Option, text: str) -> str:
    if option.name == "app":
        return str(program.parse(text))
    module, _, function = text.rpartition(":")
    if not module or not function.isidentifier():
        raise ValueError("write it as MODULE:FUNCTION, for example my_plugins:register")
    return text


def _package(text: str) -> str:
    if not all(part.isidentifier() for part in text.split(".")):
        raise ValueError("write the package's name as it is imported, for example torch_tensorrt")
    return text


def _file(text: str, folder: Path) -> str:
    path = folder / Path(text).expanduser()
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    return str(path)


def _report(text: str, folder: Path) -> ReportTarget:
    target = ReportTarget.parse(text, folder)
    if target.path == STDOUT and target.format is not ReportFormat.GITHUB:
        raise ValueError(
            "pytest writes to standard output too; name a file, or convert a JSON report afterwards: "
            f"trt-conformance report report.json {text}"
        )
    return target


def _switch(text: str) -> bool:
    if text.casefold() not in _SWITCH:
        raise ValueError("write yes or no")
    return _SWITCH[text.casefold()]


_SWITCH = {**dict.fromkeys(("yes", "true", "on", "1"), True), **dict.fromkeys(("no", "false", "off", "0"), False)}
#: Kinds whose texts may have several values, separated by commas.
_SEPARATED = {Kind.PACKAGE, Kind.RULES, Kind.PATTERN, Kind.DIMS, Kind.TOOLS}
#: The functions that parse a text, by kind; the folder is that of relative paths. A ``ValueError`` says what to write.
_READERS: Mapping[Kind, Callable[[Option, str, Path], Any]] = {
    Kind.MODULE: lambda _, text, __: text,
    Kind.PACKAGE: lambda _, text, __: _package(text),
    Kind.RULES: lambda _, text, __: text,
    Kind.PATTERN: lambda _, text, __: text,
    Kind.FUNCTION: lambda option, text, _: _function(option, text),
    Kind.FOLDER: lambda _, text, folder: str(folder / Path(text).expanduser()),
    Kind.FILE: lambda _, text, folder: _file(text, folder),
    Kind.DIMS: lambda _, text, __: onnx_dims.parse([text]) and text,
    Kind.SECONDS: lambda _, text, __: _seconds(text),
    Kind.NUMBER: lambda option, text, _: number(text, option.least),
    Kind.PERCENT: lambda _, text, __: _share(text),
    Kind.TOOLS: lambda _, text, __: word(text, Tool),
    Kind.REPORT: lambda _, text, folder: _report(text, folder),
    Kind.SWITCH: lambda _, text, __: _switch(text),
}
