"""Failing examples, kept from run to run: a file for each rule on a case, in pytest's cache folder.

A file holds all that is needed to ask again: the child's settings, and the request. ``trt-conformance replay`` reads
it, and the next run judges its examples first. A run may have a further memory, which it shares (``fuzz.database``).
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

#: The form of a file; one of another form is not read.
SCHEMA = 1
_FOLDER = "trt_conformance/fuzz"


class Memory(Protocol):
    """A store that keeps failing examples from run to run."""

    def saved(self, request: Request) -> list[Any]:
        """Return the examples that the rule failed on, each a separate failure; empty if there are none."""

    def keep(self, request: Request) -> None:
        """Remember the examples of a request."""

    def forget(self, request: Request) -> None:
        """Remember the examples of a request no longer."""


class Memories(msgspec.Struct, frozen=True):
    """Several memories that are one: what one of them has is saved, and all of them keep and forget."""

    each: tuple[Memory, ...]

    def saved(self, request: Request) -> list[Any]:
        """Return the examples that any of them has."""
        found = [example for memory in self.each for example in memory.saved(request)]
        return list({key_of(example): example for example in found}.values())

    def keep(self, request: Request) -> None:
        """Have all remember the examples of a request."""
        for memory in self.each:
            memory.keep(request)

    def forget(self, request: Request) -> None:
        """Have all remember the examples of a request no longer."""
        for memory in self.each:
            memory.forget(request)


class Cache(Protocol):
    """The methods of pytest's cache that we use."""

    def get(self, key: str, default: Any) -> Any:
        """Return a value that was set, or the default."""

    def set(self, key: str, value: object) -> None:
        """Keep a value, which JSON must be able to hold."""


@dataclasses.dataclass(frozen=True)
class SavedExample(Record):
    """A request, and the child that it was put to."""

    child: ChildSettings
    request: Request
    schema: int = said(only=SCHEMA, default=SCHEMA)

    @classmethod
    def read(cls, data: Any) -> SavedExample | None:
        """The record that plain data describe; None for anything else, such as another version's."""
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
        """Remember the examples of a request no longer, which are all that there are."""
        self.cache.set(_key(request), None)


def file_of(folder: Path, request: Request) -> Path:
    """Return where the cache in ``folder`` keeps the record of a rule on a case."""
    return folder / "v" / _key(request)


def _key(request: Request) -> str:
    words = f"{request.plugin}::{request.case}::{request.rule}"
    return f"{_FOLDER}/{hashlib.sha256(words.encode()).hexdigest()[:16]}"
