"""Declare what a run needs from the process that starts it, and provide this for runs without pytest."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from harness.controller.fuzz.set_up import FuzzSession

if TYPE_CHECKING:
    from harness.controller.fuzz.progress import SearchDisplay
    from harness.controller.fuzz.saved_examples import Cache


class WaitDisplay(Protocol):
    """Shows what a run waits for."""

    def on(self, *forms: str) -> contextlib.AbstractContextManager[None]:
        """Show a text while the block runs, if it takes long: the first of ``forms`` that fits the line."""


class HostSession(FuzzSession, Protocol):
    """The parts of the host process that a run uses."""

    @property
    def folders(self) -> tuple[str, ...]:
        """Return the folders in which modules are searched first."""

    @property
    def worker(self) -> str:
        """Return the name of this worker of pytest-xdist; empty if this process is no worker."""

    @property
    def rules(self) -> Sequence[Mapping[str, Any]] | None:
        """Return the installed rules as plain data in a worker of pytest-xdist; else None: a child describes them."""

    @property
    def waiting(self) -> WaitDisplay:
        """Return the display of waiting times; read this while pytest captures no output."""


class Silence:
    """Shows nothing."""

    def on(self, *forms: str) -> contextlib.AbstractContextManager[None]:  # noqa: ARG002 - the protocol's signature
        """Do nothing."""
        return contextlib.nullcontext()


class Alone:
    """The session of a process that judges without pytest."""

    worker: str = ""
    rules: None = None
    cache: Cache | None = None
    cache_name: str = ""
    watch: SearchDisplay | None = None

    @property
    def waiting(self) -> WaitDisplay:
        """Return a display that shows nothing."""
        return Silence()

    @property
    def folders(self) -> tuple[str, ...]:
        """Return the current folder alone."""
        return (str(Path.cwd()),)
