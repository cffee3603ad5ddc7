"""Limit a case to the shapes that a program has used, if the plugin refuses other shapes within the profile.

Theory. A profile has bounds for each dimension. A program may use only combinations that meet further conditions: for
example, an update fits into its table. A plugin may refuse all other combinations. Then the case allows only the
combinations that the program has used.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import TYPE_CHECKING

from harness.cases.case import CaseError
from harness.checks.sampling.sampling import best_shapes, is_dynamic, sample_shapes
from harness.child.discovery.attempts import Attempts
from harness.contract.finding import NotRun
from harness.subject.serialized_cases import Reached
from harness.subject.subject import Subject
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.devices.current import use

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.cases.case import Case
    from harness.cases.input import Input
    from harness.checks.sampling.sampling import Shapes
    from harness.child.discovery.plugins import Discovery, FoundPlugin
    from reference_runtime.devices.host import HostDevice


def limited_cases(
    discovery: Discovery, used: Mapping[str, Sequence[Shapes]], spec: str, device: HostDevice
) -> Iterator[Case]:
    """Yield the cases of all plugins, limited where necessary; plugins are tried in forks, if these can use the device.

    Args:
        discovery: The plugins that a program used, with its cases.
        used: The shapes with which the program executed each plugin, by key.
        spec: The API level of the run.
        device: The device on which plugins are tried; their libraries must use the same device.
    """
    gate = Gate(quiet=True)
    with watching(gate), use(device):
        for plugin in discovery.plugins:
            for case in plugin.cases:
                subject = Subject(
                    sys.modules["tensorrt"],
                    plugin.creator,
                    case,
                    discovery.origin(plugin),
                    gate,
                    device,
                    interface=plugin.interface,
                )
                allowed = [shapes for shapes in used.get(plugin.key, ()) if case.allows(shapes)]
                yield limited(case, allowed) if _refuses_some(subject, plugin, spec) else case


def limited(case: Case, used: Sequence[Shapes]) -> Case:
    """Return the case with only the used shapes as valid, and a profile around them; without any, its best shapes."""
    valid = tuple(dict.fromkeys(used)) or (best_shapes(case),)
    inputs = (_around(entry, [each[place] for each in valid]) for place, entry in enumerate(case.inputs))
    return dataclasses.replace(case, inputs=tuple(inputs), valid=Reached(valid))


def _around(entry: Input, shapes: Sequence[tuple[int, ...]]) -> Input:
    low, high = (tuple(map(bound, *shapes)) if len(shapes) > 1 else shapes[0] for bound in (min, max))
    same = zip(entry.dims or (), low, high, strict=True)
    dims = tuple(name if least < greatest else least for name, least, greatest in same)
    return dataclasses.replace(entry, dims=dims, min=low, opt=shapes[-1], max=high)


def _refuses_some(subject: Subject, plugin: FoundPlugin, spec: str) -> bool:
    """Return whether the plugin refuses one of some shapes within the bounds of its case."""
    case = subject.case
    if case.valid is not None or case.shape_inputs or not is_dynamic(case):
        return False
    try:
        plugin.at(case, spec)
        return Attempts(subject, careful=True).refuse(case, *sample_shapes(case))
    except (CaseError, NotRun):
        return False
