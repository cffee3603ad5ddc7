"""Find tolerances of a case that are far beyond what its types need."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING

from harness.cases.case import Tolerance
from harness.checks.observation.comparing import DEFAULT_TOLERANCES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.cases.case import Case

#: How many times the default tolerance of a type is far beyond it.
FAR = 100
#: What is far for a type that is compared exactly where the case says nothing: more than one step, or all of a value.
_FAR_FROM_EXACT = 1.0


def wide_tolerances(case: Case) -> Iterator[str]:
    """Yield a sentence for each type whose tolerance is more than :data:`FAR` times its default."""
    for name, near in _by_type(case).items():
        usual = DEFAULT_TOLERANCES.get(name, Tolerance())
        for told, wanted in ((near.atol, usual.atol), (near.rtol, usual.rtol)):
            if told > (FAR * wanted or _FAR_FROM_EXACT):
                yield f"its tolerance is {told:g} for {name} (usual: {wanted:g})"
                break


def _by_type(case: Case) -> Mapping[str, Tolerance]:
    if isinstance(case.tolerance, Tolerance):
        types = itertools.chain.from_iterable(entry.types for entry in case.data_inputs)
        return dict.fromkeys(types, case.tolerance)
    return case.tolerance or {}
