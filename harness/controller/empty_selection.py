"""Explain why a selection has nothing to judge, and which option to change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from harness.config import overrides
from harness.contract.thoroughness import Thoroughness

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.config.options import Options
    from harness.contract.catalogue import Catalogue
    from harness.results.run_plan import RunPlan
    from harness.results.selection import Selection


def why_nothing_is_selected(options: Options, catalogue: Catalogue, selection: Selection, plan: RunPlan) -> str:
    """Return why a run would judge no plugin of its modules, and what to change; empty if it judges any."""
    places = list(plan.places(catalogue))
    if not places or any(map(selection.admits, places)):
        return _all_left_out(options, plan)
    alike = structs.replace(selection, own=())
    key = next((place.key for place in places if alike.admits(place)), "")
    override = overrides.of(options.overrides, key)
    if override is not None:
        return f"{override.spelling} leaves out every rule that is selected: select others, or ignore fewer"
    left = selection.rules | selection.beyond
    if not left:
        select, ignore = ",".join(options.select), ",".join(options.ignore)
        if options.select and not catalogue.matching(options.select, options.spec.value):
            return f"--plugin-select={select}: no rule is of that severity; 'trt-conformance rules' lists the rules"
        chosen = f"that --plugin-select={select} selects" if select else "there is"
        return f"--plugin-ignore={ignore} leaves out every rule {chosen}: ignore fewer"
    # the rules of the plugins and cases that node ids name; without node ids, of all
    named = structs.replace(selection, rules=frozenset(catalogue.rules), beyond=frozenset(), own=())
    if not left & {place.rule for place in places if named.admits(place)}:
        return _beside_the_point(options, selection, plan)
    first = next(level for level in Thoroughness if left & catalogue.up_to(level))
    what = f"what {_quoted(options)} leaves" if _quoted(options) else "the installed rules"
    return (
        f"--plugin-level={options.level.value} judges none of {what}. "
        f"--plugin-level={first.value} does. A rule that is selected by its id is judged at any level"
    )


def why_a_plugin_is_left_out(options: Options, catalogue: Catalogue, selection: Selection, plan: RunPlan) -> str:
    """Return an error about the first plugin whose table in ``pyproject.toml`` deselects all its rules.

    It is empty if no table does. It is also empty if the user types node ids, or selects rules outside of the file:
    the plugin may be left out on purpose.
    """
    if selection.ids or not options.selects_in_file:
        return ""
    for _, plugin in plan.plugins:
        override = overrides.of(options.overrides, plugin.key)
        if override is None or not {"select", "ignore"} & set(override.changes):
            continue
        places = [place for case in plugin.cases for place in plan.places_on(plugin, case, catalogue)]
        if not any(map(selection.admits, places)) and any(map(structs.replace(selection, own=()).admits, places)):
            return f"{override.spelling} leaves out every rule of {plugin.key}: select others, or ignore fewer"
    return ""


def _beside_the_point(options: Options, selection: Selection, plan: RunPlan) -> str:
    quote = _quoted(options)
    if selection.ids:
        typed = ", ".join("::".join(("conformance", *parts)) for parts in selection.ids)
        return f"{quote} leaves out every rule of {typed}: give the option or the node id, not both"
    interfaces = sorted({plugin.interface.value for _, plugin in plan.plugins})
    one = interfaces[0]
    return (
        f"{quote} leaves no rule about {' or '.join(interfaces)}, and there is no other plugin here. Select others; "
        f"'trt-conformance rules --interface {one}' lists them"
    )


def _all_left_out(options: Options, plan: RunPlan) -> str:
    if any(module.plugins for module in plan.modules) or not any(module.left_out for module in plan.modules):
        return ""
    quote = _options({"--plugin-include": options.include, "--plugin-exclude": options.exclude})
    return f"{quote} leaves out every plugin; found: {', '.join(sorted(plan.keys))}"


def _quoted(options: Options) -> str:
    return _options({"--plugin-select": options.select, "--plugin-ignore": options.ignore})


def _options(words_by_option: Mapping[str, Sequence[str]]) -> str:
    return " with ".join(f"{option}={','.join(words)}" for option, words in words_by_option.items() if words)
