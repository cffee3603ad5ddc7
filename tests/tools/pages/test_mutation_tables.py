"""The tables of injected defects count what is noticed and by which rules, and list the rest with a reason."""

from harness.mutation.operators.catalogue import OPERATORS
from tools.pages import mutation_tables

FOUND = {
    "bar": {
        "interfaces": ["IPluginV2DynamicExt"],
        "planted": 9,
        "mutants": {
            "bar:clone_is_its_source:Bar.clone:1": {"line": 3, "fate": "noticed", "rules": ["CLN-001", "CLN-007"]},
            "bar:clone_made_once:Bar.clone:1": {"line": 3, "fate": "noticed", "rules": ["FUZ-009"]},
            "bar:cached_by_rank:Bar.enqueue:1": {
                "line": 9,
                "fate": "unnoticed",
                "likeness": "different",
                "difference": "a | b",
                "diff": ["-a", "+b | c"],
            },
            "bar:cached_by_rank:Bar.enqueue:2": {"line": 9, "fate": "unnoticed", "likeness": "alike", "diff": ["+c"]},
        },
    }
}
REASONS = {"bar:cached_by_rank:Bar.enqueue:2": {"kind": "equivalent", "reason": "there is one shape"}}


def test_without_measurements_there_is_no_section():
    assert mutation_tables.section({}, OPERATORS, {}) == []


def test_what_is_equivalent_is_not_counted():
    lines = mutation_tables.section(FOUND, OPERATORS, REASONS)
    assert "| all | 3 | 2 (67 %) | 1 (33 %) |" in lines
    assert "| IPluginV2DynamicExt | 3 | 2 (67 %) | 1 (33 %) |" in lines
    (row,) = [line for line in lines if line.startswith("| `clone_is_its_source` |")]
    assert row == "| `clone_is_its_source` | `clone` returns the object itself. | CLN-001 | 1 | 1 (100 %) | 1 (100 %) |"


def test_a_sample_says_so():
    assert any("Judged: a sample of 4 of 9 mutants of 1 example." in line for line in _of(FOUND))
    whole = {"bar": {**FOUND["bar"], "planted": 4}}
    assert any("Judged: all 4 mutants of 1 example." in line for line in _of(whole))


def _of(found):
    return mutation_tables.section(found, OPERATORS, REASONS)


def test_what_is_left_is_listed_with_its_change_and_why():
    lines = mutation_tables.section(FOUND, OPERATORS, REASONS)
    assert lines[-2:] == [
        "| `bar:9` `cached_by_rank` | `-a`<br>`+b \\| c` | not judged by a person; it differs: a \\| b |",
        "| `bar:9` `cached_by_rank` | `+c` | equivalent: there is one shape |",
    ]


def test_an_operator_that_is_gone_is_left_out():
    found = {
        "bar": {
            "interfaces": [],
            "planted": 1,
            "mutants": {"bar:gone:x:1": {"line": 1, "fate": "noticed", "rules": ["X-001"]}},
        }
    }
    assert "| all | 0 | 0 (0 %) | 0 (0 %) |" in mutation_tables.section(found, OPERATORS, {})
