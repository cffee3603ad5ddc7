"""Rules that others rest on, by what a rule has to do: where one of them fails, the others would only repeat it.

A callback that raises needs no mention here: whoever meets it is blocked by the rule that owns the callback.
"""

from __future__ import annotations

#: To count: a number of outputs, and of decorated functions that they describe so many.
COUNTED = frozenset({"ID-007", "QDP-005"})
#: To ask for shapes: expressions in every slot, too.
ANALYSES = COUNTED | {"SHP-003"}
#: To configure: some combination that is accepted, and shapes that exist; of decorated functions, tactics that do.
CONFIGURES = ANALYSES | {"FMT-007", "FMT-017", "SHP-011", "SHP-015", "SHP-016", "SHP-017", "OUT-006", "QDP-010"}
#: To run: the right arguments, too, and sizes that can be relied upon; or a kernel.
RUNS = CONFIGURES | {"ENQ-001", "SHP-018", "SHP-019", "QDP-021", "V2L-001", "V2L-009"}
#: To run one object again and again.
REPEATS = RUNS | {"ENQ-007", "ENQ-008"}
#: To run what an engine made again of its data, and built with enough workspace.
ENGINES = RUNS | {"CFG-016", "WSP-009"}
#: To compare with the oracle: right results in the plainest case.
COMPUTES = RUNS | {"ENQ-010"}
#: To use clones: they are other objects, with the parameters of their source, and run where that is initialized.
CLONES = RUNS | {"CLN-001", "CLN-002", "CLN-003"}
