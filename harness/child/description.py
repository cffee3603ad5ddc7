"""Describe a module as plain data: cases, where classes are written, and problems of each kind."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from harness.cases.facts import Facts
from harness.contract.api_level import DEFAULT
from harness.process import failures, stack
from harness.results.module_rules import CASE, REGISTRY
from harness.results.run_plan import CasePlan

if TYPE_CHECKING:
    from harness.cases.case import Case
    from harness.child.discovery.plugins import FoundPlugin
    from harness.child.discovery.unregistered import Skipped
    from harness.child.recording.recorded import Recorded
    from harness.subject.subject import Registration


def only(problem: str) -> dict[str, Any]:
    """Return the description of a module with one problem and nothing else."""
    return {"plugins": [], "problems": [usage(problem)]}


def usage(problem: str) -> dict[str, str]:
    """Return a usage error as a problem; a run judges nothing until the user has corrected it."""
    return {"kind": "usage", "text": problem}


def refusal(registration: Registration) -> dict[str, str]:
    """Return the problem that the registry refused a creator."""
    creator = registration.creator
    return {
        "kind": "fail",
        "rule": REGISTRY,
        "text": f"register_creator refused {type(creator).__name__} (name {creator.name!r}, version "
        f"{creator.plugin_version!r}, namespace {creator.plugin_namespace!r}) in namespace "
        f"{registration.namespace!r}. It returned False, and the creator is not judged",
        "expected": "every plugin of the module can be registered and found",
        "fix": "Give every creator a unique combination of name, version and namespace, and all that a creator needs.",
    }


def unreadable(plugin: FoundPlugin, error: Exception) -> dict[str, Any]:
    """Return the problem that a plugin could not be described, because its own code raised."""
    return {
        "kind": "fail",
        "rule": REGISTRY,
        "text": f"{plugin.key} cannot be described: {type(plugin.creator).__name__} raised {failures.named(error)}",
        "expected": "the creator's attributes can be read",
        "fix": "Correct it, or leave the plugin out with --plugin-exclude.",
        "stack": stack.of_error(error),
    }


def skipped(skip: Skipped) -> dict[str, Any]:
    """Return a creator class that is not judged, with the reason."""
    return {"name": skip.cls.__qualname__, **place_of(skip.cls), "why": skip.why}


def unrecorded(program: str, recorded: Recorded) -> list[dict[str, Any]]:
    """Return the plugins of a program that are not judged, with the reasons."""
    reasons = list(recorded.problems)
    if recorded.error:
        reasons.append(f"the run that records them ended early: {recorded.error.splitlines()[-1]}")
    elif not recorded.cases and not reasons:
        reasons.append("the program builds no network with a plugin")
    place = {"file": getattr(recorded.module, "__file__", None) or "", "line": 0}
    return [{"name": f"plugins of {program}", **place, "why": why} for why in reasons]


def refused_by_plugin(error: Exception) -> dict[str, Any]:
    """Return the problem that a plugin does not take the attributes or inputs of a model's node."""
    return {
        "kind": "fail",
        "rule": CASE,
        "text": f"a plugin does not take what the model gives it: {error}",
        "expected": "the plugin is made from the node's attributes, and takes the node's inputs",
        "fix": "Correct create_plugin, clone or the callbacks about shapes and types, or the node in the model.",
    }


def case_of(case: Case) -> dict[str, Any]:
    """Return the facts of a user's case that the controller needs."""
    facts, spec = Facts.of(case).to_plain(), case.spec or DEFAULT
    return CasePlan(case.name, expected_failures=case.expected_failures, spec=spec, facts=facts).to_plain()


def place_of(cls: Any) -> dict[str, Any]:
    """Return the file and line of a class or function; empty if Python does not know them.

    For a class in C++, the file is its library.
    """
    if hasattr(cls, "library"):
        return {"file": str(cls.library), "line": 0}
    try:
        return {"file": inspect.getsourcefile(cls) or "", "line": inspect.getsourcelines(cls)[1]}
    except (OSError, TypeError):
        return {"file": "", "line": 0}
