"""List the rules that other rules require: if one fails, a rule that requires it would only repeat the failure.

A callback that raises needs no entry here: its failure blocks all rules but the callback's owner.
"""

from __future__ import annotations

#: For rules that count outputs: the number of outputs is valid; a decorated function describes as many.
COUNTED = frozenset({"ID-007", "QDP-005"})
#: For rules that request output shapes: also, each dimension of these shapes is an expression.
ANALYSES = COUNTED | {"SHP-003"}
#: For rules that configure: also, a format combination is accepted, and output shapes and size tensors are valid. The
#: tactics of a decorated function are valid, too.
CONFIGURES = ANALYSES | {"FMT-007", "FMT-017", "SHP-011", "SHP-015", "SHP-016", "SHP-017", "OUT-006", "QDP-010"}
#: For rules that run the plugin: also, output types are accepted, ``enqueue`` accepts its arguments, and it writes
#: valid sizes. A kernel of a decorated function has its arguments. A plugin with implicit batch has valid shapes, and
#: can be attached.
RUNS = CONFIGURES | {"ENQ-001", "OUT-004", "SHP-018", "SHP-019", "QDP-021", "V2L-001", "V2L-009"}
#: For rules that run one object several times: also, it keeps no address of an earlier run, and frees no buffer.
REPEATS = RUNS | {"ENQ-007", "ENQ-008"}
#: For rules that run a deserialized plugin: also, it restores what it learned at configuration, and its workspace is
#: large enough.
ENGINES = RUNS | {"CFG-016", "WSP-009"}
#: For rules that compare with the reference: also, results are right for the shapes of the profile.
COMPUTES = RUNS | {"ENQ-010"}
#: For rules that use clones: also, clones are new objects with their source's parameters, and run if their source is
#: initialized. They use no address of an earlier run.
CLONES = RUNS | {"CLN-001", "CLN-002", "CLN-003", "ENQ-007"}
