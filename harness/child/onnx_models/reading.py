"""From the options of a run to the cases of its models, by plugin."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness.child.onnx_models.cases import cases_of
from harness.child.onnx_models.uses import ModelError, uses_of
from harness.config import onnx_dims

if TYPE_CHECKING:
    from harness.cases.case import Case
    from harness.child.discovery.plugins import Discovery
    from harness.protocol.messages import ChildSettings
    from reference_runtime.calling.gate.gate import Gate


def model_cases(settings: ChildSettings, discovery: Discovery, gate: Gate) -> dict[str, list[Case]]:
    """Return the cases that the models of a run are for the plugins of a module.

    Raises:
        ModelError: A model cannot be used, or uses a plugin that is not the module's.
        PluginRefusedError: A plugin does not take what a model gives it.
        CaseError: A use cannot be put as a case.
    """
    known = [plugin.key for plugin in discovery.plugins]
    listed = ", ".join(known) or "no plugin"
    ranges = onnx_dims.parse(settings.onnx_dims)
    uses = [use for path in settings.onnx for use in uses_of(path, ranges, gate, listed)]
    try:
        onnx_dims.check(ranges, list(dict.fromkeys(name for use in uses for name in use.points[0].extents)))
    except onnx_dims.DimsError as error:
        raise ModelError(str(error)) from error
    found: dict[str, list[Case]] = {}
    for each in cases_of(sys.modules["tensorrt"], uses):
        if each.key not in known:
            name = discovery.module.__name__
            raise ModelError(
                f"--plugin-onnx: the model uses {each.key}, which is registered and is no plugin of {name}; "
                f"name its module with --plugin-module (found: {listed})"
            )
        found.setdefault(each.key, []).append(each.case)
    return found
