"""Track the items that are still to be judged in this process, so that finished data can be freed."""

from __future__ import annotations

import collections
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.results.run_plan import ItemId, ModulePlan


class Remaining:
    """The items that are left of each case; an item of several tests is left until the last of them.

    A worker of pytest-xdist begins with the items of all workers. So no case ends there whose items are spread over
    several workers. A case that ends is safe to let go: an item that runs again is judged again.
    """

    def __init__(self, places: Iterable[ItemId] = ()) -> None:
        self._of_cases: dict[tuple[str, str], collections.Counter[ItemId]] = collections.defaultdict(
            collections.Counter
        )
        for place in places:
            self._of_cases[place.label, place.case][place] += 1

    def ends_with(self, place: ItemId) -> bool:
        """Take an item off; return whether it was the last of its case."""
        left = self._of_cases.get((place.label, place.case))
        if left is None:
            return False
        if left[place] > 1:
            left[place] -= 1
        else:
            left.pop(place, None)  # it may run again
        if left:
            return False
        del self._of_cases[place.label, place.case]
        return True

    def has_any_of(self, module: ModulePlan) -> bool:
        """Whether anything of a module is left."""
        return any((plugin.label, case.name) in self._of_cases for plugin in module.plugins for case in plugin.cases)
