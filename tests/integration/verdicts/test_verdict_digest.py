"""A verdict depends on nothing but plugin, case and rule: however a run is made, the digest of all verdicts is one.

Rules are judged in a child, which is never optimized. So that they mean the same under ``python -O`` takes a run in
pytest's own process as well.
"""

import textwrap

import pytest

from tests.support import witnesses
from tests.support.digest import certified, digest_of, verdicts_of

IN_ORDER = ("-p", "no:randomly")
MIXED = ("-p", "randomly")
#: The ways of running that must not change a verdict: ``name: (pytest's arguments, Python's options)``.
WAYS = {
    "-O, two workers, random order, seed 3": (
        ("-n", "2", "-p", "randomly", "--randomly-seed=1", "--plugin-seed=3"),
        ("-O",),
    ),
    "random order, seed 4": (("-p", "randomly", "--randomly-seed=2", "--plugin-seed=4"), ()),
}
IN_PROCESS = (*IN_ORDER, "--plugin-isolation=none")
#: One worker judges all examples plainly, for all these tests.
IN_ONE_WORKER = pytest.mark.xdist_group("digest")


def assert_same(one, other):
    places = sorted({*one, *other})
    assert [(p, one.get(p), other.get(p)) for p in places if one.get(p) != other.get(p)] == []
    assert digest_of(one) == digest_of(other)


def of_the_same_plugins(verdicts, others):
    """Return those verdicts that are about plugins which the others are about."""
    plugins = {place.split("::")[1] for place in others}
    return {place: verdict for place, verdict in verdicts.items() if place.split("::")[1] in plugins}


def test_the_digest_is_of_verdicts_only():
    report = {
        "plugins": [
            {"id": "conformance::/P/1::a", "rules": [{"id": "FMT-001", "verdict": "PASS", "evidence": 7}]},
            {"id": "conformance::/P/1::b", "rules": [{"id": "FMT-001", "verdict": "FAIL", "evidence": 1}]},
        ]
    }
    found = verdicts_of(report)
    assert found == {"conformance::/P/1::a::FMT-001": "PASS", "conformance::/P/1::b::FMT-001": "FAIL"}
    assert digest_of(found) == digest_of(dict(reversed(found.items())))
    assert digest_of(found) != digest_of({**found, "conformance::/P/1::b::FMT-001": "WARN"})


MODULE = """
    from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

    PLUGIN_CASES = SCALE_CASES[:1]

    class Odd(Scale):
        def __init__(self, *parameters):
            super().__init__(*parameters)
            if not __debug__:
                self.num_outputs = 0

    publish(Odd)
"""


@pytest.mark.nightly
def test_a_verdict_that_depends_on_how_it_is_run_has_another_digest(tmp_path):
    (tmp_path / "odd.py").write_text(textwrap.dedent(MODULE))
    runs = [
        certified(["odd"], tmp_path, *IN_PROCESS, "--plugin-select=ID-007", python=python) for python in ((), ("-O",))
    ]
    assert [list(run.values()) for run in runs] == [["PASS"], ["FAIL"]]
    with pytest.raises(AssertionError):
        assert_same(*runs)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return certified(witnesses.examples(), tmp_path_factory.mktemp("plain"), *IN_ORDER)


@IN_ONE_WORKER
@pytest.mark.nightly
@pytest.mark.parametrize("way", WAYS)
def test_all_examples_have_the_same_verdicts_however_they_are_run(way, plain, tmp_path):
    arguments, python = WAYS[way]
    assert_same(certified(witnesses.examples(), tmp_path, *arguments, python=python), plain)


@IN_ONE_WORKER
@pytest.mark.nightly
@pytest.mark.parametrize("example", witnesses.examples())
def test_each_example_has_the_same_verdicts_where_asserts_are_left_out(example, plain, tmp_path):
    spec = ("--plugin-spec=8.6",) if ".implicit_batch." in example else ()
    inside = certified([example], tmp_path, *IN_PROCESS, *spec, python=("-O",))
    assert inside
    assert_same(inside, of_the_same_plugins(plain, inside))
