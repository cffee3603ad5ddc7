"""Make lists of creators that record each use, with the number of registry changes since the list was made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from harness.applications.names import site_of
from reference_runtime.call_observer import is_inside

if TYPE_CHECKING:
    from harness.applications.trace import TracedCall


class AgingList(list[Any]):
    """A list of the registry's creators that records each use, in the facts of the call that returned it."""

    def __init__(self, items: list[Any], call: TracedCall, generation: Callable[[], int]) -> None:
        super().__init__(items)
        self._looks: list[tuple[str, int]] = call.facts.setdefault("looks", [])
        self._made = generation()
        self._generation = generation

    def _look(self) -> None:
        if not is_inside():
            self._looks.append((str(site_of()), self._generation() - self._made))

    def __iter__(self) -> Iterator[Any]:
        self._look()
        return super().__iter__()

    def __getitem__(self, index: Any, /) -> Any:
        self._look()
        return super().__getitem__(index)

    def __contains__(self, item: object, /) -> bool:
        self._look()
        return super().__contains__(item)

    def __len__(self) -> int:
        self._look()
        return super().__len__()

    def __reversed__(self) -> Iterator[Any]:
        self._look()
        return super().__reversed__()
