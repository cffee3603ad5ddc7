"""What a child says of its module: the plugins and applications in it, each with its cases."""

from __future__ import annotations

import contextlib
import itertools
import sys
from typing import TYPE_CHECKING, Any

from harness.applications import discovering as applications
from harness.cases.case import Case, CaseError
from harness.cases.facts import Facts
from harness.child import description
from harness.child.callback_locations import callback_places
from harness.child.devices import new_device
from harness.child.discovery import plugins as searching
from harness.child.discovery.plugins import Discovery, FoundPlugin, UsageProblem, check_shapes, has_creators
from harness.child.discovery.probing import NoCaseError, paste, probe
from harness.child.loaded_module import LoadedModule, loaded
from harness.child.observers import CallbackRecorder, CallbackSkipper
from harness.child.onnx_models.cases import model_cases
from harness.child.onnx_models.uses import ModelError, PluginRefusedError
from harness.process import loaded_files
from harness.subject.creators import written_as
from harness.subject.serialized_cases import to_plain
from harness.subject.subject import Subject
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.devices.current import use

if TYPE_CHECKING:
    from harness.protocol.messages import ChildSettings

__all__ = ["discover"]


def discover(settings: ChildSettings, shunned: dict[str, str]) -> dict[str, Any]:
    """Return the module's plugins and cases as plain data, probed where there are no cases.

    ``shunned`` names callbacks that must not be called: an earlier attempt did not survive them.
    """
    world = loaded()
    found = _discovered(world, settings, shunned)
    others = (*(name for name in world.settings.cases if not name.endswith(".py")), world.settings.setup)
    judging = {rule.judge.__module__.partition(".")[0] for rule in world.rules.values()}
    modules = (name.partition(":")[0] for name in others)
    return {**found, "written": loaded_files.written(world.module, modules, judging)}


def _discovered(world: LoadedModule, settings: ChildSettings, shunned: dict[str, str]) -> dict[str, Any]:
    if world.problem:
        return description.only(world.problem)
    try:
        found = applications.discover(world.module, settings.applications)
    except applications.NoApplicationError as error:
        return description.only(str(error))
    described = [applications.described(each, settings.spec) for each in found]
    if settings.applications or (found and not settings.onnx and not has_creators(world.module)):
        return {"plugins": described, "problems": []}
    return _with_plugins(world, shunned, described)


def _with_plugins(world: LoadedModule, shunned: dict[str, str], described: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the plugins of a module beside its applications."""
    try:
        discovery = searching.discover(world.module, world.cases, world.further)
        for case in itertools.chain.from_iterable(found.cases for found in discovery.plugins):
            check_shapes(case)
    except UsageProblem as problem:
        return description.only(str(problem))
    if world.settings.onnx:
        return _modelled(world, discovery, shunned)
    plugins, problems = described, []
    for found in discovery.plugins:
        try:
            plugins.append(_plain_plugin(world, discovery, found, shunned))
        except NoCaseError as error:  # noqa: PERF203 - one plugin without a case must not hide the others
            problems.append(description.uncertified(world.module, found, error))
        except CaseError as error:
            problems.append(description.usage(f"{world.module.__name__}: {error}"))
    problems += [description.refusal(each) for each in discovery.refused]
    problems += [{"kind": "stranger", "text": f"case {c.name!r} is for {c.key}"} for c in discovery.strangers]
    return {"plugins": plugins, "problems": problems}


def _modelled(world: LoadedModule, discovery: Discovery, shunned: dict[str, str]) -> dict[str, Any]:
    """Return the plugins that the run's models use, with a case for each use; nothing is probed."""
    device = new_device(world.settings)
    gate = Gate(observers=[CallbackRecorder(), CallbackSkipper(shunned)], quiet=True)
    try:
        with contextlib.closing(device), watching(gate), use(device):
            cases = model_cases(world.settings, discovery, gate)
    except (ModelError, CaseError) as error:
        return description.only(str(error))
    except PluginRefusedError as error:
        return {"plugins": [], "problems": [description.refused_by_plugin(error)]}
    plain = [
        {**_described(world, found), "cases": [_of_model(case.at(world.settings.spec)) for case in cases[found.key]]}
        for found in discovery.plugins
        if found.key in cases
    ]
    return {"plugins": plain, "problems": [description.refusal(each) for each in discovery.refused]}


def _of_model(case: Case) -> dict[str, Any]:
    return {**description.case_of(case), "plain": to_plain(case)}


def _plain_plugin(
    world: LoadedModule, discovery: Discovery, found: FoundPlugin, shunned: dict[str, str]
) -> dict[str, Any]:
    own = [description.case_of(found.at(case, world.settings.spec)) for case in found.cases]
    return {**_described(world, found), "cases": own or [_inferred(world, discovery, found, shunned)]}


def _described(world: LoadedModule, found: FoundPlugin) -> dict[str, Any]:
    creator = found.creator
    return {
        "key": found.key,
        "name": creator.name,
        "version": creator.plugin_version,
        "namespace": creator.plugin_namespace,
        "module": world.module.__name__,
        "interface": found.interface.value,
        "class": written_as(creator).__name__,
        **description.place_of(written_as(creator)),
        "methods": callback_places(creator),
        "registered": found.registered,
    }


def _inferred(world: LoadedModule, discovery: Discovery, found: FoundPlugin, shunned: dict[str, str]) -> dict[str, Any]:
    device = new_device(world.settings)
    gate = Gate(observers=[CallbackRecorder(), CallbackSkipper(shunned)], quiet=True)
    with contextlib.closing(device), watching(gate), use(device):
        base = Case(
            plugin=found.creator.name or "",
            version=found.creator.plugin_version or "",
            namespace=found.creator.plugin_namespace or "",
            name="inferred",
            inferred=True,
        )
        subject = Subject(
            sys.modules["tensorrt"],
            found.creator,
            base,
            discovery.origin(found),
            gate,
            device,
            interface=found.interface,
        )
        case = probe(subject)
    return {
        "name": case.name,
        "inferred": True,
        "paste": paste(case),
        "expected_failures": {},
        "plain": to_plain(case),
        "spec": world.settings.spec,
        "facts": Facts.of(case).to_plain(),
    }
