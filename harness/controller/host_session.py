"""Declare what a run needs from its session: pytest's, or that of a caller in Python, which is here."""

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
    """Shows what is waited for."""

    def on(self, *forms: str) -> contextlib.AbstractContextManager[None]:
        """Show it while the block runs, once that takes long: the first of the forms for which there is room."""


class HostSession(FuzzSession, Protocol):
    """The parts of the host process that a run uses."""

    @property
    def folders(self) -> tuple[str, ...]:
        """Return the folders in which modules are searched first."""

    @property
    def worker(self) -> str:
        """The name of this worker of pytest-xdist, which does what a controller decides; empty where it is none."""

    @property
    def rules(self) -> Sequence[Mapping[str, Any]] | None:
        """The installed rules as plain data, in a worker of pytest-xdist; None where they are asked for."""

    @property
    def waiting(self) -> WaitDisplay:
        """The place that shows what is waited for; to be asked for while no output is captured."""


class Silence:
    """Shows nothing."""

    def on(self, *forms: str) -> contextlib.AbstractContextManager[None]:  # noqa: ARG002 - the protocol's signature
        """Do nothing."""
        return contextlib.nullcontext()


class Alone:
    """A process that judges, without pytest."""

    worker: str = ""
    rules: None = None
    cache: Cache | None = None
    cache_name: str = ""
    watch: SearchDisplay | None = None

    @property
    def waiting(self) -> WaitDisplay:
        """Show no text."""
        return Silence()

    @property
    def folders(self) -> tuple[str, ...]:
        """The current folder."""
        return (str(Path.cwd()),)
