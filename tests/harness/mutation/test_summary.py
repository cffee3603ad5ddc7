"""A summary begins with what goes unnoticed and ends with how much it is, and for want of what."""

from pathlib import Path

from harness.cases.facts import Facts
from harness.cases.input import Input
from harness.mutation import summary
from harness.mutation.campaign import Findings
from harness.mutation.mutant import plant
from harness.mutation.operators.catalogue import OPERATORS
from harness.mutation.outcome import Fate, Likeness, Outcome
from harness.mutation.trial import CaseSeen, Seen
from tests.support.mutation.sources import V2

MUTANTS = plant(
    Path("my_plugin.py"), V2, [OPERATORS["shape_of_another_input"], OPERATORS["clone_is_its_source"]]
).mutants


def findings(*fates, planted=None, broken=(), inferred=False):
    facts = Facts((Input(dims=(4, 4)), Input(dims=(4, 4))))
    cases = (CaseSeen("/Scale/1", "rows", "IPluginV2DynamicExt", inferred, facts),)
    outcomes = tuple(
        Outcome(mutant, fate, likeness=Likeness.ALIKE if fate is Fate.UNNOTICED else Likeness.UNKNOWN, note="7 s")
        for mutant, fate in zip(MUTANTS, fates, strict=False)
    )
    original = Seen(broken=broken, evaluated=frozenset({"ENQ-010"}), cases=cases)
    return Findings("my_plugin", original, outcomes, planted or len(outcomes), 0)


def test_what_is_unnoticed_is_told_with_its_change_and_what_would_help():
    *told, advice, last = summary.lines(findings(Fate.UNNOTICED, Fate.NOTICED))
    assert told[0] == (
        "my_plugin.py:23 in Scale.get_output_dimensions: "
        "A shape or a dimension comes from the wrong input. (shape_of_another_input)"
    )
    assert told[1:3] == ["    -        dims = trt.DimsExprs(inputs[0])", "    +        dims = trt.DimsExprs(inputs[1])"]
    assert advice.startswith("  no case has two inputs of different dimensions (1 unnoticed defect could then show)")
    assert last == "1 of 2 injected defects goes unnoticed: no case has two inputs of different dimensions"


def test_where_all_is_noticed_one_line_says_so():
    assert [*summary.lines(findings(Fate.NOTICED, Fate.NOTICED))] == ["0 of 2 injected defects go unnoticed"]


def test_a_sample_says_of_how_many():
    assert summary.headline(findings(Fate.NOTICED, planted=90)) == (
        "0 of 1 injected defect go unnoticed (a sample of 90)"
    )


def test_what_is_not_decided_is_told():
    told = [*summary.lines(findings(Fate.UNDECIDED))]
    assert told == ["my_plugin.py:23: not decided: 7 s", "0 of 1 injected defect go unnoticed; 1 not decided"]


def test_what_the_original_breaks_and_cases_of_nobody_are_told():
    told = [*summary.lines(findings(Fate.NOTICED, broken=(("FMT-001", "rows"),), inferred=True))]
    assert told[0].startswith("my_plugin itself breaks FMT-001")
    assert told[1].startswith("  some of the plugins have no written case")
