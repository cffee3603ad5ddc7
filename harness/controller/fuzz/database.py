"""Share failing examples between runs and machines, in a database of Hypothesis.

Hypothesis keeps bytes under keys in a folder, and lets many processes use them at once. The keys here name module, API
level, plugin, case and rule. Each value under a key is one example as JSON. No key depends on the plugin's code: when
the code changes, the examples that failed before are judged first.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from harness.controller.fuzz.trials import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.protocol.messages import ChildSettings, Request

#: The version of the form of keys and values.
_SCHEMA = "trt-conformance 1"


class DatabaseError(Exception):
    """A database cannot be used; the message says why."""


class Database(Protocol):
    """The methods of ``hypothesis.database.ExampleDatabase`` that this module uses."""

    def fetch(self, key: bytes) -> Iterable[bytes]:
        """Return the values under a key."""

    def save(self, key: bytes, value: bytes) -> None:
        """Keep a value under a key."""

    def delete(self, key: bytes, value: bytes) -> None:
        """Delete a value under a key."""


class DatabaseMemory(msgspec.Struct, frozen=True):
    """Remembers the failing examples of one module at one API level, for all runs that share the database."""

    database: Database
    child: ChildSettings

    def saved(self, request: Request) -> list[Any]:
        """Return the examples that the rule failed on, here or elsewhere, the shortest first."""
        values = sorted(self.database.fetch(self._key(request)), key=lambda value: (len(value), value))
        return [example for value in values if (example := _example(value)) is not None]

    def keep(self, request: Request) -> None:
        """Remember the examples of a request."""
        for example in request.examples:
            self.database.save(self._key(request), key_of(example).encode())

    def forget(self, request: Request) -> None:
        """Delete the examples of a request."""
        for example in request.examples:
            self.database.delete(self._key(request), key_of(example).encode())

    def _key(self, request: Request) -> bytes:
        name = self.child.module
        if os.sep in name or name.endswith(".py"):  # the folder differs between machines
            name = Path(name).stem
        return f"{_SCHEMA}::{name}::{self.child.spec}::{request.plugin}::{request.case}::{request.rule}".encode()


def opened(folder: str) -> Database:
    """Return the database in a folder, which is created if it is missing.

    Raises:
        DatabaseError: The folder cannot be created, read or written.
    """
    from hypothesis.database import DirectoryBasedExampleDatabase  # noqa: PLC0415 - few runs use a database

    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseError(f"it is no folder, and none can be made: {error}") from error
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise DatabaseError("the folder cannot be read and written")
    return DirectoryBasedExampleDatabase(folder)


def _example(value: bytes) -> Any:
    """Return the example in a value; None if the value is no JSON."""
    try:
        return json.loads(value)
    except ValueError:
        return None
