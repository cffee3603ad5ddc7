"""Declare who answers requests: the Protocols of a child, its fork, or a fake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from harness.contract.verdict import Answer, Captured

if TYPE_CHECKING:
    from harness.contract.rule import Rule
    from harness.protocol.messages import Request


class IsolationError(Exception):
    """A child process cannot be had here; the argument says what to do."""


class TwinLostError(Exception):
    """The error that the process beside a child has ended; its requests must be sent elsewhere."""


class Loaded(msgspec.Struct, frozen=True):
    """The result of importing the user's module.

    Attributes:
        ok: Whether it was imported.
        name: Its name in ``sys.modules`` of the process that imported it.
        answer: If it is not: how it failed.
        found: Whether the module exists; if not, ``answer.reason`` says what was looked for.
        threads: Whether the import left threads behind, so that the process cannot be forked.
        captured: What was written meanwhile.
    """

    ok: bool
    name: str = ""
    answer: Answer | None = None
    found: bool = True
    threads: bool = False
    captured: Captured = msgspec.field(default_factory=Captured)


class Asking(Protocol):
    """Answers requests."""

    def ask(self, request: Request) -> Answer:
        """Return the answer to one request."""


class Loading(Asking, Protocol):
    """Hold the user's module; a plugin's actions show in it only as answers."""

    def load(self) -> Loaded:
        """Import the user's module."""

    def close(self) -> None:
        """End everything that was started."""


class Isolation(Loading, Protocol):
    """The place where a run imports and judges a module of the user."""

    def start(self) -> None:
        """Begin to load the rules, before anything of the user's is imported."""

    def rules(self) -> dict[str, Rule]:
        """Return the installed rules; at most once, and first."""

    def discover(self) -> dict[str, Any]:
        """Return the module's plugins and their cases, as plain data."""

    def another(self) -> Loading:
        """Return another responder for the same module, for use at the same time; this responder must be loaded."""
