"""Declare the Protocols of objects that answer requests: a child, pytest's process itself, or a fake in tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from harness.contract.verdict import Answer, Captured

if TYPE_CHECKING:
    from harness.contract.rule import Rule
    from harness.protocol.messages import Request


class IsolationError(Exception):
    """The error that no child process can be started; the argument says what to do."""


class TwinLostError(Exception):
    """The error that a child's twin process has ended; its requests must be sent to another process."""


class Loaded(msgspec.Struct, frozen=True):
    """The result of importing the user's module.

    Attributes:
        ok: Whether it was imported.
        name: Its name in ``sys.modules`` of the process that imported it.
        answer: If it was not imported: how that failed.
        exists: Whether the module exists; if not, ``answer.reason`` says what was looked for.
        threads: Whether the import left threads behind, so that the process cannot be forked.
        captured: The output of the import.
    """

    ok: bool
    name: str = ""
    answer: Answer | None = None
    exists: bool = True
    threads: bool = False
    captured: Captured = msgspec.field(default_factory=Captured)


class Asking(Protocol):
    """Answers requests."""

    def ask(self, request: Request) -> Answer:
        """Return the answer to one request."""


class Loading(Asking, Protocol):
    """Imports the user's module, and answers requests about it."""

    def load(self) -> Loaded:
        """Import the user's module, and return how that went."""

    def close(self) -> None:
        """End all processes that were started."""


class Isolation(Loading, Protocol):
    """Imports and judges one of the user's modules, isolated from pytest's process or in it."""

    def start(self) -> None:
        """Begin to load the rules, before any module of the user is imported."""

    def rules(self) -> dict[str, Rule]:
        """Return the installed rules by id; call it once at most, and before :meth:`load`."""

    def discover(self) -> dict[str, Any]:
        """Return the module's plugins and their cases, as plain data."""

    def another(self) -> Loading:
        """Return a second responder for the same module, to use at the same time; call :meth:`load` before."""
