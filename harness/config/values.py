"""The values of an option as they were given, where that was, and what is made of them."""

from __future__ import annotations

import dataclasses
import enum
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pytest

from harness.contract.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.config.pyproject import Table
    from pytest_trt_conformance import Option

Chosen = TypeVar("Chosen", bound=enum.Enum)


class OptionSource(enum.Enum):
    """Where an option was given, the first that counts first."""

    COMMAND = enum.auto()
    ENVIRONMENT = enum.auto()
    INI = enum.auto()
    TABLE = enum.auto()
    NOWHERE = enum.auto()


@dataclasses.dataclass(frozen=True)
class Given:
    """The values of one option and how they were given, as a message can quote it."""

    values: tuple[str, ...]
    spelling: str
    origin: OptionSource = OptionSource.COMMAND

    def quote(self, value: str) -> str:
        """Return the option with one of its values, as the user wrote it."""
        return f"{self.spelling}={value}"


class Around(Protocol):
    """What relative paths on a command line are seen from: of pytest's config, that alone."""

    @property
    def invocation_params(self) -> Any:
        """Has the folder as ``dir``."""


def given_values(
    config: pytest.Config, option: Option, environment: Mapping[str, str], table: Table | None = None
) -> Given:
    """Return the values of an option from the first of command line, environment, ini file and table that has any."""
    from_command = config.getoption(option.ini, default=None)
    if from_command:
        values = from_command if option.repeatable else [from_command]
        return Given(tuple(values), option.flag)
    from_environment = environment.get(option.variable)
    if from_environment:
        values = split([from_environment]) if option.repeatable else (from_environment,)
        return Given(tuple(values), option.variable, OptionSource.ENVIRONMENT)
    from_ini = config.getini(option.ini)
    values = tuple(value for value in (from_ini if option.repeatable else [from_ini]) if value)
    if values:
        return Given(values, option.ini, OptionSource.INI)
    if table is not None and option.name in table.entries:
        return Given(table.entries[option.name], table.spelling(option.name), OptionSource.TABLE)
    return Given((), option.ini, OptionSource.NOWHERE)


def split(values: Iterable[str]) -> tuple[str, ...]:
    """Return the parts of texts that commas separate."""
    parts = (part.strip() for value in values for part in value.split(","))
    return tuple(part for part in parts if part)


def choice(given: Given, kind: type[Chosen], default: Chosen) -> Chosen:
    """Return the member of an enumeration that was given, or the default.

    Raises:
        pytest.UsageError: It is none; the message says what to write.
    """
    if not given.values:
        return default
    value = given.values[0]
    words = [str(member.value) for member in kind]
    if value not in words:
        begun = next((word for word in words if value.startswith(word)), value)  # 10.16 is nearer to 10 than to 11
        hint = suggestion(begun, words)
        raise pytest.UsageError(f"{given.quote(value)}: unknown value; choose from {', '.join(words)}{hint}")
    return kind(value)


def choices(given: Given, kind: type[Chosen]) -> tuple[Chosen, ...]:
    """Return several members, each once, in the order of their kind."""
    chosen = {choice(Given((value,), given.spelling), kind, next(iter(kind))) for value in split(given.values)}
    return tuple(member for member in kind if member in chosen)


def function(given: Given, value: str) -> str:
    """Return a function that was given as ``module:function``.

    Raises:
        pytest.UsageError: It is none; the message says what to write.
    """
    module, _, function = value.rpartition(":")
    if not module or not function.isidentifier():
        example = "my_plugins:register" if given.spelling.lower().endswith("setup") else "my_application:main"
        raise pytest.UsageError(f"{given.quote(value)}: write it as MODULE:FUNCTION, for example {example}")
    return value


def file(given: Given, config: Around) -> str:
    """Return the path of a file that was given, absolute; empty where none was.

    Raises:
        pytest.UsageError: It is none; the message says what to write.
    """
    return file_at(given, given.values[0], config) if given.values else ""


def file_at(given: Given, value: str, config: Around) -> str:
    """Return the path of a file, seen from where pytest was started.

    Raises:
        pytest.UsageError: It is none; the message says what to write.
    """
    path = config.invocation_params.dir / Path(value).expanduser()
    if not path.is_file():
        raise pytest.UsageError(f"{given.quote(value)}: there is no file {path}")
    return str(path)


def seconds(given: Given) -> float | None:
    """Return a time above 0 s; None where none was given.

    Raises:
        pytest.UsageError: It is none; the message says what to write.
    """
    if not given.values:
        return None
    try:
        seconds = float(given.values[0])
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise pytest.UsageError(f"{given.quote(given.values[0])}: give a number of seconds above 0, for example 20")
    return seconds


def share(given: Given) -> float | None:
    """Return a percentage as a share of 1; None where none was given.

    Raises:
        pytest.UsageError: It is none; the message says what to write.
    """
    if not given.values:
        return None
    try:
        percent = float(given.values[0].removesuffix("%"))
    except ValueError:
        percent = math.nan
    if not 0 < percent < 100:  # noqa: PLR2004 - per cent
        wanted = "give a percentage above 0 and below 100, for example 3%"
        raise pytest.UsageError(f"{given.quote(given.values[0])}: {wanted}")
    return percent / 100


def switch(given: Given) -> bool:
    """Return whether something was switched on.

    Raises:
        pytest.UsageError: It is none; the message says what to write.
    """
    if not given.values:
        return False
    word = given.values[0].casefold()
    if word not in {"yes", "true", "on", "1", "no", "false", "off", "0"}:
        raise pytest.UsageError(f"{given.quote(given.values[0])}: write yes or no")
    return word in {"yes", "true", "on", "1"}


def number(given: Given, *, least: int) -> int | None:
    """Return a whole number; None where none was given.

    Raises:
        pytest.UsageError: It is none; the message says what to write.
    """
    if not given.values:
        return None
    value = given.values[0]
    if not value.isdecimal() or int(value) < least:
        raise pytest.UsageError(f"{given.quote(value)}: give a whole number from {least} up, for example {least}")
    return int(value)
