"""Keep failing examples from run to run: in pytest's cache folder, a file for each rule on a case.

A file holds all that a replay needs: the child's settings, and the request. ``trt-conformance replay`` reads the file,
and the next run judges its examples first. A run may also keep examples in a shared database (``fuzz.database``).
"""

from __future__ import annotations

import dataclasses
import hashlib
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from harness.contract.codec import FormError, Record, said
from harness.controller.fuzz.trials import key_of
from harness.protocol.messages import ChildSettings, Request

if TYPE_CHECKING:
    from pathlib import Path

#: The version of a file's form; files of other versions are not read.
SCHEMA = 1
_FOLDER = "trt_conformance/fuzz"


class Memory(Protocol):
    """A store that keeps failing examples from run to run."""

    def saved(self, request: Request) -> list[Any]:
        """Return the examples that the rule failed on, each a separate failure; empty if there are none."""

    def keep(self, request: Request) -> None:
        """Remember the examples of a request."""

    def forget(self, request: Request) -> None:
        """Delete the examples of a request."""


class Memories(msgspec.Struct, frozen=True):
    """Several memories as one: it returns the examples of all of them, and changes all of them."""

    each: tuple[Memory, ...]

    def saved(self, request: Request) -> list[Any]:
        """Return the examples of all memories, without repetitions."""
        examples = [example for memory in self.each for example in memory.saved(request)]
        return list({key_of(example): example for example in examples}.values())

    def keep(self, request: Request) -> None:
        """Have all remember the examples of a request."""
        for memory in self.each:
            memory.keep(request)

    def forget(self, request: Request) -> None:
        """Have all delete the examples of a request."""
        for memory in self.each:
            memory.forget(request)


class Cache(Protocol):
    """The methods of pytest's cache that this module uses."""

    def get(self, key: str, default: Any) -> Any:
        """Return a value that was set, or the default."""

    def set(self, key: str, value: object) -> None:
        """Keep a value that JSON can hold."""


@dataclasses.dataclass(frozen=True)
class SavedExample(Record):
    """A request with failing examples, and the settings of the child that answered it."""

    child: ChildSettings
    request: Request
    schema: int = said(only=SCHEMA, default=SCHEMA)

    @classmethod
    def read(cls, data: Any) -> SavedExample | None:
        """Return the record that plain data describe; None for other data, such as a record of another version."""
        try:
            return cls.from_plain(data)
        except FormError:
            return None


class CacheMemory(msgspec.Struct, frozen=True):
    """Remembers the failing examples of one module at one API level."""

    cache: Cache
    child: ChildSettings

    def saved(self, request: Request) -> list[Any]:
        """Return the examples that the rule failed on last time; empty if it did not."""
        record = SavedExample.read(self.cache.get(_key(request), None))
        if record is None or (record.child.module, record.child.spec) != (self.child.module, self.child.spec):
            return []
        return record.request.examples

    def keep(self, request: Request) -> None:
        """Remember the examples of a request."""
        self.cache.set(_key(request), SavedExample(self.child, request).to_plain())

    def forget(self, request: Request) -> None:
        """Delete the examples of a rule on a case; only one request is kept for these."""
        self.cache.set(_key(request), None)


def file_of(folder: Path, request: Request) -> Path:
    """Return the file in pytest's cache (``folder``) with the record of a rule on a case."""
    return folder / "v" / _key(request)


def _key(request: Request) -> str:
    words = f"{request.plugin}::{request.case}::{request.rule}"
    return f"{_FOLDER}/{hashlib.sha256(words.encode()).hexdigest()[:16]}"
