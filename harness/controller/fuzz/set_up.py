"""Set up fuzzing for a run: the budget of its options, and the stores for failing examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from harness.config.errors import UsageError
from harness.controller.fuzz.budget import Budget
from harness.controller.fuzz.database import DatabaseError, DatabaseMemory, opened
from harness.controller.fuzz.saved_examples import CacheMemory, Memories
from harness.controller.fuzz.search import Fuzzing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.config.options import Options
    from harness.controller.fuzz.progress import SearchDisplay
    from harness.controller.fuzz.saved_examples import Cache, Memory
    from harness.protocol.messages import ChildSettings


class FuzzSession(Protocol):
    """The parts of a session that fuzzing uses."""

    @property
    def cache(self) -> Cache | None:
        """Return pytest's cache; None if there is none."""

    @property
    def cache_name(self) -> str:
        """Return the name of the cache's folder in reports; empty if there is no cache."""

    @property
    def watch(self) -> SearchDisplay | None:
        """Return the display that shows the progress of a long search."""


class FuzzSetUp:
    """The stores for failing examples of a run: pytest's cache and, if named, a shared database.

    Raises:
        UsageError: The database cannot be used.
    """

    def __init__(self, session: FuzzSession, database: str) -> None:
        self._session = session
        self._folder = database
        try:
            self._database = opened(database) if database else None
        except DatabaseError as error:
            raise UsageError(f"--plugin-fuzz-database={database}: {error}") from error

    @property
    def databases(self) -> tuple[str, ...]:
        """Return the names of the stores for failing examples, for printing."""
        return tuple(filter(None, (self._session.cache_name, self._folder)))

    def fuzzing(self, options: Options, child: ChildSettings) -> Fuzzing:
        """Return the settings of fuzzing for a module; ``options`` are those of the run or of one plugin."""
        budget = Budget.of(options.level, options.fuzz_examples, options.fuzz_time)
        return Fuzzing(budget, Memories(tuple(self._memories(child))), watch=self._session.watch)

    def _memories(self, child: ChildSettings) -> Iterator[Memory]:
        if self._session.cache is not None:
            yield CacheMemory(self._session.cache, child)
        if self._database is not None:
            yield DatabaseMemory(self._database, child)
