"""What came of builds becomes violations that quote NVIDIA's builder and name the line of the plugin."""

import dataclasses

import pytest

from conformance.rules import nvidias_builder
from harness.child.nvidias_builder.outcomes import Death, Outcome, Outcomes, Seen

QUESTION = "FLOAT:LINEAR:(-1,):(1,)..(2,)..(4,)"
FINE = Seen(
    parsed=True,
    plan=True,
    outputs=(["FLOAT", [-1]],),
    errors=(),
    workspace={QUESTION: 16},
    fields=(("factor:FLOAT32[1] ab",),),
    written="",
)
FAILED = """[ERROR] Exception caught in get_workspace_size(): ValueError: no

At:
  /home/me/plugin.py(12): get_workspace_size
"""
RULES = {
    "GEN-001": nvidias_builder.builder_parses_it,
    "GEN-002": nvidias_builder.builder_makes_a_plan,
    "GEN-003": nvidias_builder.builder_lives,
    "GEN-004": nvidias_builder.builder_logs_no_error,
    "GEN-005": nvidias_builder.builder_gets_the_same_answers_again,
    "GEN-006": nvidias_builder.runtimes_agree,
}


def with_(**changes):
    return dataclasses.replace(FINE, **changes)


@pytest.fixture
def broken(monkeypatch):
    """Judge one build by all rules, and return the violations by rule."""

    def judge(**changes):
        build = Outcome(
            **{"types": ("float32",), "theirs": FINE, "again": FINE, "death": None, "ours": FINE, **changes}
        )
        seen = Outcomes("TensorRT-RTX 1.7.1", (build,))
        monkeypatch.setattr(nvidias_builder, "outcomes", lambda _: seen)
        found = {name: list(rule.judge(None)) for name, rule in RULES.items()}
        return {name: each[0].violation for name, each in found.items() if each and each[0].violation}

    return judge


def test_nothing_is_wrong_with_builds_that_agree(broken):
    assert broken() == {}


def test_a_parser_that_refuses_is_quoted_with_the_line(broken):
    refused = with_(parsed=False, plan=False, written=FAILED, errors=("While parsing node number 0",))
    found = broken(theirs=refused)
    assert list(found) == ["GEN-001"]
    assert "NVIDIA's builder (TensorRT-RTX 1.7.1) does not parse the plugin; it says: Exception caught in" in (
        found["GEN-001"].what
    )
    assert found["GEN-001"].observed == "from (plugin.py:12); While parsing node number 0"


def test_no_plan(broken):
    found = broken(theirs=with_(plan=False, errors=("no format",)))
    assert list(found) == ["GEN-002"]
    assert found["GEN-002"].what.endswith("makes no plan of the plugin; it says: no format")


@pytest.mark.parametrize("theirs", [None, FINE, with_(parsed=False)])
def test_a_death_is_judged_by_one_rule_however_far_the_build_came(broken, theirs):
    early = Death("died by SIGSEGV", "while the model was parsed", "Plugin.clone", "/home/me/plugin.py:3", "segfault")
    found = broken(theirs=theirs, again=None, death=early)
    assert list(found) == ["GEN-003"]
    assert found["GEN-003"].what == "the process of NVIDIA's builder (TensorRT-RTX 1.7.1) dies"
    assert found["GEN-003"].observed == (
        "it died by SIGSEGV while the model was parsed; the last callback was Plugin.clone (plugin.py:3); segfault"
    )


def test_after_a_build_the_last_callback_is_no_suspect(broken):
    late = Death(
        "died by SIGABRT", "after the build", "Plugin.clone", "/home/me/plugin.py:3", "double free", is_late=True
    )
    found = broken(death=late)["GEN-003"]
    assert found.observed == "it died by SIGABRT after the build; the last callback was Plugin.clone; double free"
    assert "refer to the plugin" in found.fix


def test_a_process_that_was_ended_hung(broken):
    hung = Death("went no further for 20 s", "while the plan was built", "Plugin.clone", hangs=True)
    found = broken(theirs=None, again=None, ours=None, death=hung)["GEN-003"]
    assert found.what == "the process of NVIDIA's builder (TensorRT-RTX 1.7.1) hangs"
    assert found.observed == "it went no further for 20 s while the plan was built; the last callback was Plugin.clone"
    assert "--plugin-timeout" in found.fix


def test_an_error_beside_a_plan(broken):
    found = broken(theirs=with_(written=FAILED))
    assert list(found) == ["GEN-004"]
    assert "ValueError: no" in found["GEN-004"].what
    assert "(plugin.py:12)" in found["GEN-004"].observed


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"plan": False}, "outcome"),
        ({"outputs": (["HALF", [-1]],)}, "set of output types and shapes"),
        ({"workspace": {QUESTION: 8}}, f"answer of get_workspace_size for {QUESTION}"),
        ({"fields": ()}, "answer of get_fields_to_serialize"),
    ],
)
@pytest.mark.parametrize(("side", "rule"), [("again", "GEN-005"), ("ours", "GEN-006")])
def test_a_difference_is_named(broken, changes, what, side, rule):
    found = broken(**{side: with_(**changes)})
    assert list(found) == [rule]
    assert found[rule].what.endswith(f"the plugin has another {what}")


def test_other_questions_are_no_difference(broken):
    assert broken(ours=with_(workspace={"another": 8})) == {}
