"""Describe the plugins and applications in a module, each with its cases."""

from __future__ import annotations

import contextlib
import itertools
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from harness.applications import discovering as applications
from harness.cases.case import Case, CaseError
from harness.cases.facts import Facts
from harness.child import description
from harness.child.callback_locations import callback_places
from harness.child.devices import new_device
from harness.child.discovery.case_checks import check_case
from harness.child.discovery.plugins import (
    Discovery,
    FoundPlugin,
    UsageProblem,
    creator_key,
    has_creators,
)
from harness.child.discovery.probing import paste, probe
from harness.child.loaded_module import LoadedModule, loaded
from harness.child.observers import CallbackRecorder, CallbackSkipper
from harness.child.onnx_models.cases import model_cases
from harness.child.onnx_models.uses import ModelError, PluginRefusedError
from harness.config.program import parse
from harness.contract import plugin_patterns
from harness.contract.wording import in_brackets
from harness.process import loaded_files, stack
from harness.subject.creators import written_as
from harness.subject.serialized_cases import to_plain
from harness.subject.subject import Subject
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.devices.current import use

if TYPE_CHECKING:
    from harness.protocol.messages import ChildSettings


class Probing(msgspec.Struct, frozen=True):
    """Settings for the inference of cases, from earlier attempts in other processes: see :func:`discover`."""

    shunned: dict[str, str]
    careful: bool


def discover(settings: ChildSettings, shunned: dict[str, str], *, careful: bool = False) -> dict[str, Any]:
    """Return the module's plugins and cases as plain data; infer a case for each plugin without one.

    Args:
        settings: The settings of this child.
        shunned: Callbacks that must not be called, because they ended the process of an earlier attempt.
        careful: Whether to try each guessed case in a separate process, because one ended a process before.
    """
    world = loaded()
    described = _discovered(world, settings, Probing(shunned, careful))
    named = (*(name for name in world.settings.cases if not name.endswith(".py")), world.settings.setup)
    judging = {rule.judge.__module__.partition(".")[0] for rule in world.rules.values()}
    modules = (name.partition(":")[0] for name in named)
    return {**described, "written": loaded_files.written(world.module, modules, judging)}


def _discovered(world: LoadedModule, settings: ChildSettings, probing: Probing) -> dict[str, Any]:
    if world.problem:
        return description.only(world.problem)
    if world.recorded is not None and not world.recorded.cases:
        return {"plugins": [], "problems": [], "skipped": description.unrecorded(settings.program, world.recorded)}
    try:
        arguments = parse(settings.program).arguments if settings.program else ()
        apps = [] if settings.records else applications.discover(world.module, settings.applications, arguments)
    except applications.NoApplicationError as error:
        return description.only(str(error))
    described = [applications.described(each, settings.spec) for each in apps]
    if settings.applications or (apps and not settings.onnx and not has_creators(world.module)):
        return {"plugins": described, "problems": []}
    return _with_plugins(world, probing, described)


def _with_plugins(world: LoadedModule, probing: Probing, described: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the plugins of a module, after its applications, which are described already."""
    try:
        discovery = world.discovery(world.cases, world.further)
        chosen = [plugin for plugin in discovery.plugins if _is_chosen(world, plugin.creator)]
        for case in itertools.chain.from_iterable(plugin.cases for plugin in chosen):
            check_case(case)
    except UsageProblem as problem:
        return description.only(str(problem))
    beside = {
        "left_out": [plugin.key for plugin in discovery.plugins if plugin not in chosen],
        "skipped": [
            *(description.skipped(each) for each in discovery.skipped),
            *(description.unrecorded(world.settings.program, world.recorded) if world.recorded else ()),
        ],
    }
    if world.settings.onnx and world.recorded is None:
        return {**_modelled(world, discovery, chosen, probing), **beside}
    plugins, problems = described, []
    for plugin in chosen:
        try:
            plugins.append(_plain_plugin(world, discovery, plugin, probing))
        except CaseError as error:  # noqa: PERF203 - one plugin with a wrong case must not hide the others
            problems.append(description.usage(f"{world.module.__name__}: {error}"))
        except Exception as error:
            if not stack.leads_through_the_users_code(error):
                raise
            problems.append(description.unreadable(plugin, error))
    problems += [description.refusal(each) for each in discovery.refused if _is_chosen(world, each.creator)]
    problems += [{"kind": "stranger", "text": _strange(c)} for c in discovery.strangers]
    return {"plugins": plugins, "problems": problems, **beside}


def _is_chosen(world: LoadedModule, creator: Any) -> bool:
    return plugin_patterns.chosen(creator_key(creator), world.settings.include, world.settings.exclude)


def _modelled(world: LoadedModule, discovery: Discovery, chosen: list[FoundPlugin], probing: Probing) -> dict[str, Any]:
    """Return the plugins that the run's models use, with a case for each use; no plugin is probed."""
    device = new_device(world.settings)
    gate = Gate(observers=[CallbackRecorder(), CallbackSkipper(probing.shunned)], quiet=True)
    try:
        with contextlib.closing(device), watching(gate), use(device):
            cases = model_cases(world.settings, discovery, gate)
    except (ModelError, CaseError) as error:
        return description.only(str(error))
    except PluginRefusedError as error:
        return {"plugins": [], "problems": [description.refused_by_plugin(error)]}
    plain = [
        {**_described(world, plugin), "cases": [_of_model(case.at(world.settings.spec)) for case in cases[plugin.key]]}
        for plugin in chosen
        if plugin.key in cases
    ]
    refused = [each for each in discovery.refused if _is_chosen(world, each.creator)]
    return {"plugins": plain, "problems": [description.refusal(each) for each in refused]}


def _of_model(case: Case) -> dict[str, Any]:
    return {**description.case_of(case), "plain": to_plain(case)}


def _plain_plugin(world: LoadedModule, discovery: Discovery, plugin: FoundPlugin, probing: Probing) -> dict[str, Any]:
    own = [description.case_of(plugin.at(case, world.settings.spec)) for case in plugin.cases]
    return {**_described(world, plugin), "cases": own or [_inferred(world, discovery, plugin, probing)]}


def _described(world: LoadedModule, plugin: FoundPlugin) -> dict[str, Any]:
    creator = plugin.creator
    return {
        "key": plugin.key,
        "name": creator.name,
        "version": creator.plugin_version,
        "namespace": creator.plugin_namespace,
        "module": world.module.__name__,
        "interface": plugin.interface.value,
        "class": written_as(creator).__name__,
        **description.place_of(written_as(creator)),
        "methods": callback_places(creator),
        "registered": plugin.registered,
    }


def _inferred(world: LoadedModule, discovery: Discovery, plugin: FoundPlugin, probing: Probing) -> dict[str, Any]:
    device = new_device(world.settings)
    gate = Gate(observers=[CallbackRecorder(), CallbackSkipper(probing.shunned)], quiet=True)
    with contextlib.closing(device), watching(gate), use(device):
        base = Case(
            plugin=plugin.creator.name or "",
            version=plugin.creator.plugin_version or "",
            namespace=plugin.creator.plugin_namespace or "",
            name="inferred",
            inferred=True,
        )
        subject = Subject(
            sys.modules["tensorrt"],
            plugin.creator,
            base,
            discovery.origin(plugin),
            gate,
            device,
            interface=plugin.interface,
        )
        case = probe(subject, careful=probing.careful)
    return {
        "name": case.name,
        "inferred": True,
        "paste": paste(case),
        "unknown": case.unknown,
        "expected_failures": {},
        "plain": to_plain(case),
        "spec": world.settings.spec,
        "facts": Facts.of(case).to_plain(),
    }


def _strange(case: Case) -> str:
    return f"case {case.name!r}{in_brackets(case.place)} is for {case.key}"
