"""Read the table ``[tool.trt-conformance]`` of a ``pyproject.toml``, and check the types of its values.

Every pytest run in a project with this table reads it, so this module imports little.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from harness.config import toml
from harness.config.declarations import OPTIONS, Kind, Option, Use
from harness.config.errors import UsageError
from harness.contract.suggestions import hint

FILE = "pyproject.toml"
NAME = "trt-conformance"
#: The key of the tables with options of single plugins.
PLUGIN = "plugin"
#: The options that can be set for a single plugin.
OVERRIDABLE = tuple(option.name for option in OPTIONS if Use.OVERRIDE in option.uses)
#: A text that every file with the table contains.
_MENTION = re.compile(rb"trt[-_]conformance", re.IGNORECASE)
_OPTIONS = {option.name: option for option in OPTIONS}
#: The words for values of options that need not be texts, by kind.
_NUMBERS = {Kind.NUMBER: "a whole number", Kind.SECONDS: "a number", Kind.LEVEL: "a word or a number"}


class Table(msgspec.Struct, frozen=True):
    """The table of this package in a ``pyproject.toml``.

    Attributes:
        path: The file.
        entries: The values by option name, as texts, as the command line would have them.
        plugins: The entries of each plugin with separate options, by the plugin's name in the table.
    """

    path: Path
    entries: Mapping[str, tuple[str, ...]]
    plugins: Mapping[str, Mapping[str, tuple[str, ...]]] = msgspec.field(default_factory=dict)

    def spelling(self, *keys: str) -> str:
        """Return the file and a key, as messages quote them."""
        return f"{self.path}: {spelled(*keys)}"


def read(start: Path) -> Table | None:
    """Return the table of the nearest ``pyproject.toml``, in ``start`` or above; None if the file does not have it.

    Paths in the table are relative to the file's folder; they are returned absolute.

    Raises:
        UsageError: The file contains ``trt-conformance`` and is no TOML, or its table has an unknown key or wrong type.
    """
    for folder in (start, *start.parents):
        content = _content(folder / FILE)
        if content is not None:
            if not _MENTION.search(content):  # errors in this file do not concern the harness
                return None
            table = _table(folder / FILE, content)
            return None if table is None else _checked(folder / FILE, table)
    return None


def spelled(*keys: str) -> str:
    """Return a dotted key of the table, as TOML spells it."""
    return ".".join(("tool", NAME, *map(_quoted, keys)))


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else f'"{key}"'


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None
    except OSError as error:
        raise UsageError(f"{path}: it cannot be read: {error.strerror}") from error


def _table(path: Path, content: bytes) -> Mapping[str, Any] | None:
    try:
        tool = toml.parsed(content).get("tool")
    except ValueError as error:  # of TOML or of UTF-8
        raise UsageError(f"{path}: no valid TOML: {error}") from error
    if not isinstance(tool, dict):
        return None
    for key in tool:
        if key != NAME and key.lower().replace("_", "-").removeprefix("pytest-") == NAME:
            raise UsageError(f"{path}: [tool.{_quoted(key)}] is not read (did you mean [tool.{NAME}]?)")
    table = tool.get(NAME)
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"{path}: {spelled()} must be a table: [tool.{NAME}]")
    return table


def _checked(path: Path, table: Mapping[str, Any]) -> Table:
    _refuse_unknown(path, table, (*_OPTIONS, PLUGIN), ())
    entries = {key: _values(path, _OPTIONS[key], table[key], (key,)) for key in table if key != PLUGIN}
    overrides = table.get(PLUGIN, {})
    if not isinstance(overrides, dict):
        raise UsageError(f"{path}: {spelled(PLUGIN)} must hold a table a plugin: [{spelled(PLUGIN, '/Name/1')}]")
    plugins = {word: _override(path, word, own) for word, own in overrides.items()}
    return Table(path, entries, plugins)


def _override(path: Path, word: str, table: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(table, dict):
        quoted = f"write a key with slashes in quotes: [{spelled(PLUGIN, '/Name/1')}]"
        raise UsageError(f"{path}: {spelled(PLUGIN, word)} must be a table of the plugin's options; {quoted}")
    for key in table:
        if key in _OPTIONS and key not in OVERRIDABLE:
            known = ", ".join(OVERRIDABLE)
            raise UsageError(
                f"{path}: {spelled(PLUGIN, word, key)}: no single plugin can have this option; it can have {known}"
            )
    _refuse_unknown(path, table, OVERRIDABLE, (PLUGIN, word))
    return {key: _values(path, _OPTIONS[key], value, (PLUGIN, word, key)) for key, value in table.items()}


def _refuse_unknown(path: Path, table: Iterable[str], known: Sequence[str], where: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            plain = key.lower().replace("_", "-").removeprefix("--").removeprefix("plugin-")
            raise UsageError(f"{path}: {spelled(*where, key)}: unknown key{hint(plain, known)}")


def _values(path: Path, option: Option, value: Any, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return an option's value as texts, as the command line would have it, with absolute paths."""
    texts = texts_of(option, value)
    if texts is None:
        raise UsageError(f"{path}: {spelled(*keys)} must be {type_of(option)}, not {_described(value)}")
    return tuple(_seen_from(path.parent, option.kind, text) for text in texts)


def texts_of(option: Option, value: Any) -> tuple[str, ...] | None:
    """Return a typed value as texts, as the command line would have it; None if the option has another type."""
    entries = value if option.repeatable and isinstance(value, list) else [value]
    texts = tuple(_text(option, entry) for entry in entries)
    known = tuple(text for text in texts if text is not None)
    return known if len(known) == len(texts) else None


def type_of(option: Option) -> str:
    """Return the words for the type of an option's value, for messages."""
    if option.kind is Kind.SWITCH:
        return "true or false"
    return "a text or a list of texts" if option.repeatable else _NUMBERS.get(option.kind, "a text")


def _text(option: Option, value: Any) -> str | None:
    """Return a value as text; None if the option has another type."""
    if option.kind is Kind.SWITCH:
        return {True: "yes", False: "no"}[value] if isinstance(value, bool) else None
    if isinstance(value, str) and option.kind not in {Kind.NUMBER, Kind.SECONDS}:
        return value or None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or option.kind not in _NUMBERS:
        return None
    whole = int(value) if isinstance(value, int) or value.is_integer() else None
    return None if whole is None and option.kind is Kind.NUMBER else str(value if whole is None else whole)


def _described(value: Any) -> str:
    names = {bool: "true or false", str: "a text", int: "a whole number", float: "a number"}
    named = {list: "a list", dict: "a table", **names}.get(type(value), "a date or time")
    if isinstance(value, list):
        return "a list with something else in it" if value else "an empty list"
    if value == "":
        return "an empty text"
    return f"{named}: {value!r}" if isinstance(value, (str, int, float)) and not isinstance(value, bool) else named


def _seen_from(folder: Path, kind: Kind, value: str) -> str:
    """Return a value with an absolute path in place of a path relative to ``folder``."""
    head, colon, tail = value.partition(":") if kind is Kind.REPORT else ("", "", value)
    if kind is Kind.FUNCTION:
        module, split, function = value.rpartition(":")
        return f"{_module(folder, module)}{split}{function}"
    if kind is Kind.MODULE:
        return _module(folder, value)
    if kind not in {Kind.FILE, Kind.FOLDER, Kind.REPORT} or tail in {"", "-"}:
        return value
    return f"{head}{colon}{_absolute(folder, tail)}"


def _module(folder: Path, module: str) -> str:
    return _absolute(folder, module) if os.sep in module or module.endswith(".py") else module


def _absolute(folder: Path, path: str) -> str:
    return str(folder / Path(path).expanduser())
