"""Find tolerances of a case that are much larger than its types need."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING

from harness.cases.case import Tolerance
from harness.checks.observation.comparing import DEFAULT_TOLERANCES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.cases.case import Case

#: A tolerance above this many times the default tolerance is wide.
FAR = 100
#: For types whose default is an exact comparison, a tolerance above 1 is wide.
_FAR_FROM_EXACT = 1.0


def wide_tolerances(case: Case) -> Iterator[str]:
    """Yield a sentence for each type whose tolerance is above :data:`FAR` times the default, or above 1 if exact."""
    for name, tolerance in _by_type(case).items():
        usual = DEFAULT_TOLERANCES.get(name, Tolerance())
        for value, default in ((tolerance.atol, usual.atol), (tolerance.rtol, usual.rtol)):
            if value > (FAR * default or _FAR_FROM_EXACT):
                yield f"its tolerance is {value:g} for {name} (usual: {default:g})"
                break


def _by_type(case: Case) -> Mapping[str, Tolerance]:
    if isinstance(case.tolerance, Tolerance):
        types = itertools.chain.from_iterable(entry.types for entry in case.data_inputs)
        return dict.fromkeys(types, case.tolerance)
    return case.tolerance or {}
