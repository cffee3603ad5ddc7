"""List an application's lookups in the registry, and the plugin fields that it created."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from harness.applications.application import Application
    from harness.applications.trace import Trace, TracedCall

_LISTS = ("all_creators", "all_creators_recursive", "plugin_creator_list")
_LOOKUPS = ("get_creator", "get_plugin_creator")
_MODERN = ("get_creator", "all_creators", "all_creators_recursive")
#: The ending of the names of TensorRT's own plugins.
_OWN = "_TRT"


class Look(msgspec.Struct, frozen=True):
    """One use of a list of creators; ``changes`` counts the registry's changes since the list was requested."""

    call: TracedCall
    site: str
    changes: int


class Legacy(msgspec.Struct, frozen=True):
    """One use of a lookup of version 2; ``missed`` has the creators that the application did not find."""

    call: TracedCall
    missed: str


def looks(trace: Trace) -> Iterator[Look]:
    """Yield each use of a list of creators."""
    for call in trace.calls(*_LISTS):
        for site, changes in call.facts.get("looks", ()):
            yield Look(call, site, changes)


def legacy(application: Application) -> Iterator[Legacy]:
    """Yield each use of a lookup that knows creators of version 2 only."""
    trace, known = application.trace, application.registry.version_3
    modern = list(trace.calls(*_MODERN))
    for call in trace.calls("get_plugin_creator"):
        triple = _triple(call)
        is_searched_again = any(_triple(other) == triple or other.member != "get_creator" for other in modern)
        is_missed = call.result is None and triple in known and not is_searched_again
        yield Legacy(call, "/".join(triple) if is_missed else "")
    adds_version_2 = any(trace.calls("add_plugin_v2"))
    for call in trace.calls("plugin_creator_list"):
        missed = "" if modern or adds_version_2 or not known else ", ".join(sorted(triple[0] for triple in known))
        yield Legacy(call, missed)


def of_own_plugins(trace: Trace) -> Iterator[TracedCall]:
    """Yield each failed lookup of a plugin whose name ends like those of TensorRT's own plugins.

    A lookup that succeeds is left out, because it found a creator of the application.
    """
    for call in trace.calls(*_LOOKUPS):
        if call.result is None and str(call.arguments.get("type", "")).endswith(_OWN):
            yield call


def fields(trace: Trace) -> Iterator[TracedCall]:
    """Yield each plugin field that was created with data."""
    for call in trace.calls("__init__"):
        if call.owner == "PluginField" and call.arguments.get("data") is not None:
            yield call


def _triple(call: TracedCall) -> tuple[str, str, str]:
    arguments = call.arguments
    return str(arguments.get("type")), str(arguments.get("version")), str(arguments.get("plugin_namespace", ""))
