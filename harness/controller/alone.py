"""Provide what a run needs without a session of pytest."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.controller.fuzz.progress import SearchDisplay
    from harness.controller.fuzz.saved_examples import Cache
    from harness.controller.host_session import WaitDisplay


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
