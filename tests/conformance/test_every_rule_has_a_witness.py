"""Each witness breaks exactly what it declares, each rule has one, and what is sound breaks nothing."""

import ast
import pathlib

import pytest

from harness import catalogue
from tests.conformance.verdicts import broken_rules, in_words, results_of

EXAMPLES = pathlib.Path(__file__).parent.parent.parent / "plugin_examples"
FAULTY = sorted(file for file in (EXAMPLES / "faulty").glob("*.py") if file.stem != "__init__")
SOUND = sorted(file.stem for file in EXAMPLES.glob("*.py") if file.stem != "__init__" and "_cases" not in file.stem)


def declared(file):
    """Return ``(BREAKS, ALSO)`` of a witness without importing it; None where it declares nothing."""
    assigned = [node for node in ast.parse(file.read_text()).body if isinstance(node, ast.Assign)]
    values = {getattr(node.targets[0], "id", ""): node.value for node in assigned}
    if "BREAKS" not in values:
        return None
    return ast.literal_eval(values["BREAKS"]), ast.literal_eval(values["ALSO"]) if "ALSO" in values else {}


WITNESSES = {file.stem: declared(file) for file in FAULTY if declared(file)}


def test_every_rule_has_a_witness():
    assert set(catalogue.load().rules) == {breaks for breaks, _ in WITNESSES.values()}


def test_what_declares_nothing_is_a_sound_base():
    assert {file.stem for file in FAULTY if declared(file) is None} == {
        file.stem for file in FAULTY if file.stem.startswith("sound_")
    }


@pytest.mark.parametrize("name", WITNESSES)
def test_a_witness_breaks_exactly_what_it_declares(name):
    breaks, also = WITNESSES[name]
    assert all(also.values()), "each rule in ALSO needs its reason"
    results = results_of(f"plugin_examples.faulty.{name}")
    observed = broken_rules(results)
    assert observed == {breaks, *also}, in_words(results, observed ^ {breaks, *also})


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_example_breaks_nothing(name):
    results = results_of(f"plugin_examples.{name}")
    assert results
    observed = broken_rules(results)
    assert not observed, in_words(results, observed)
