"""Rules that other rules require: if one of them fails, the others would only repeat the failure.

A callback that raises needs no entry here: the rule that owns the callback blocks the others.
"""

from __future__ import annotations

#: For rules that count outputs: their number; for decorated functions, as many descriptions.
COUNTED = frozenset({"ID-007", "QDP-005"})
#: For rules that ask for shapes: also expressions in every slot.
ANALYSES = COUNTED | {"SHP-003"}
#: For rules that configure: also an accepted combination and valid shapes; for decorated functions, valid tactics.
CONFIGURES = ANALYSES | {"FMT-007", "FMT-017", "SHP-011", "SHP-015", "SHP-016", "SHP-017", "OUT-006", "QDP-010"}
#: For rules that run the plugin: also types of outputs that it accepts, the right arguments and reliable sizes; or a
#: kernel.
RUNS = CONFIGURES | {"ENQ-001", "OUT-004", "SHP-018", "SHP-019", "QDP-021", "V2L-001", "V2L-009"}
#: For rules that run one object several times.
REPEATS = RUNS | {"ENQ-007", "ENQ-008"}
#: For rules that run a deserialized plugin: also a build with enough workspace.
ENGINES = RUNS | {"CFG-016", "WSP-009"}
#: For rules that compare with the reference: also right results in the plainest case.
COMPUTES = RUNS | {"ENQ-010"}
#: For rules that use clones: also new objects with the parameters of their source, which run if it is initialized, and
#: with no addresses that their source was given.
CLONES = RUNS | {"CLN-001", "CLN-002", "CLN-003", "ENQ-007"}
