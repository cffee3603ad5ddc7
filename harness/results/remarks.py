"""Write remarks on what the verdicts of a run leave out, and on NVIDIA's builder. A remark is no failure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from harness.contract.thoroughness import Thoroughness
from harness.contract.verdict import NO_REFERENCE, Verdict
from harness.contract.wording import named
from harness.process.nvidia_packages import of_choice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.results.report import AskedOptions, PluginOnCase, RuleOnCase


#: The rule with one finding for each build that NVIDIA's builder tried.
_TRIED: Final = "GEN-003"
#: The rule with one finding for each build that has a plan and whose process did not die.
_AGREED: Final = "GEN-006"
_JUDGED: Final = {Verdict.PASS, Verdict.WARN, Verdict.FAIL, Verdict.XFAIL, Verdict.NOTE}


def left_out_of(
    options: AskedOptions, plugins: Sequence[PluginOnCase], skipped: Sequence[Mapping[str, str]] = ()
) -> tuple[str, ...]:
    """Return a line for each thing that the verdicts of a run do not cover, or cover doubtfully.

    ``skipped`` has creator classes and plugins of programs that were not judged, as in `ModulePlan.skipped`.
    """
    return (
        *_of_the_options(options),
        *(f"{each['name']} not judged: {each['why']}" for each in skipped),
        *(f"{each.id}: {remark}" for each in plugins for remark in _of_a_case(each)),
    )


def _of_the_options(options: AskedOptions) -> Iterator[str]:
    if options.level < Thoroughness.DEFAULT.number:
        yield f"--plugin-level={options.level} leaves out rules that level {Thoroughness.DEFAULT.number} judges"
    for name, patterns in (("select", options.select), ("ignore", options.ignore)):
        if patterns:
            yield f"--plugin-{name}={','.join(patterns)} deselects rules"
    for package in options.stubs:
        yield f"--plugin-stub={package}: the import of the package succeeds although it is not installed"
    if options.baseline:
        yield f"--plugin-baseline={options.baseline} excuses the failures that it knows"
    yield from _of_chance(options, Thoroughness(str(options.level)))
    if options.isolation == "none":
        yield "--plugin-isolation=none does not look whether the plugin interfered with its judge"


def _of_chance(options: AskedOptions, level: Thoroughness) -> Iterator[str]:
    """Yield remarks on options that give a run fewer seeds or examples than its level has, or limit its time."""
    if len(options.seeds) < len(level.seeds):
        yield f"--plugin-seed={options.seed} judges one order of calls; level {options.level} judges {len(level.seeds)}"
    if options.fuzz_examples is not None and options.fuzz_examples < level.examples:
        yield (
            f"--plugin-fuzz-examples={options.fuzz_examples} draws no more than that for each fuzz rule; level "
            f"{options.level} draws up to {level.examples}"
        )
    if options.fuzz_time is not None:
        yield f"--plugin-fuzz-time={options.fuzz_time:g} ends fuzz rules by the clock: a slow machine draws less"


def _of_a_case(case: PluginOnCase) -> Iterator[str]:
    yield from case.doubts or ()
    if any(rule.verdict is Verdict.NOT_RUN and rule.reason == NO_REFERENCE for rule in case.rules):
        yield "it has no reference: its results are not judged"
    if expected := [rule.id for rule in case.rules if rule.verdict is Verdict.XFAIL]:
        yield f"{named(sorted(set(expected)))} may fail"
    if case.stand_ins:
        yield f"stand-ins ran for {named(case.stand_ins)}"
    elif case.kernels_executed is False:
        yield "its kernels were not executed"


def built_too(options: AskedOptions, versions: Mapping[str, str], plugins: Sequence[PluginOnCase]) -> str | None:
    """Return a line with the number of builds by NVIDIA's builder that agree; None if it tried no build."""
    package = of_choice(options.runtime)
    tried = sum(rule.evidence for rule in _rules(plugins, _TRIED))
    if package is None or not tried:
        return None
    agreed = sum(rule.evidence - rule.broken for rule in _rules(plugins, _AGREED))
    return f"built by NVIDIA's {package.label(versions)} too: {agreed} of {tried:,} builds agree"


def _rules(plugins: Sequence[PluginOnCase], name: str) -> Iterator[RuleOnCase]:
    return (rule for case in plugins for rule in case.rules if rule.id == name and rule.verdict in _JUDGED)
