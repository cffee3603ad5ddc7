"""Which changes of the judge's code are seen, and that users may change what is theirs."""

import builtins
import collections.abc

import numpy as np
import pytest
from msgspec import Struct, structs

from harness.cases.case import Tolerance
from harness.checks.lifecycle import queries
from harness.checks.observation import comparing
from harness.checks.observation.in_a_fork import apart
from harness.checks.running import runs
from harness.child.integrity.judging_code import PARTS, judging_code, part_of
from harness.child.task import settle_chance
from harness.contract import catalogue
from harness.contract.finding import Finding
from harness.process.handover import InterferenceError


@pytest.fixture(scope="module")
def insist():
    return judging_code(catalogue.load_rules())


def nothing(*_):
    return None


@pytest.mark.parametrize(
    ("owner", "name", "value"),
    [
        (comparing, "first_difference", nothing),
        (Finding, "__init__", nothing),
        (np, "isnan", nothing),
        (comparing, "first_difference", type("Any", (), {"__eq__": lambda *_: True, "__hash__": None})()),
        (Tolerance, "atol", property(nothing)),
        (Tolerance, "__getattribute__", nothing),
        (comparing, "zip", nothing),
        (comparing, "DEFAULT_TOLERANCES", {}),
    ],
)
def test_what_decides_is_compared_after_each_task(insist, monkeypatch, owner, name, value):
    insist(0)
    monkeypatch.setattr(owner, name, value, raising=False)
    with pytest.raises(InterferenceError, match=f"it replaced .*{name}"):
        insist(0)


def test_a_replaced_function_of_python_is_seen(insist):
    def replaced():  # in a fork: pytest and its threads need it
        builtins.enumerate = nothing
        with pytest.raises(InterferenceError) as found:
            insist(0)
        return str(found.value)

    assert apart(replaced) == "it replaced builtins.enumerate"


@pytest.mark.parametrize(
    ("name", "value"), [("__code__", nothing.__code__), ("__defaults__", (None, None)), ("__kwdefaults__", {"a": 1})]
)
def test_other_code_and_defaults_in_the_same_function_are_seen(monkeypatch, name, value):
    def judges(first=1, second=2, *, a=0):
        return first, second, a

    monkeypatch.setattr(comparing, "_difference", judges)
    insist = judging_code({})
    monkeypatch.setattr(judges, name, value)
    with pytest.raises(InterferenceError, match="judges"):
        insist(0)


def test_a_default_that_was_written_over_is_seen(monkeypatch):
    def judges(*, exactly=True):
        return exactly

    monkeypatch.setattr(comparing, "_difference", judges)
    insist = judging_code({})
    judges.__kwdefaults__["exactly"] = False
    with pytest.raises(InterferenceError, match="exactly"):
        insist(0)


def test_code_below_decorators_is_seen(monkeypatch):
    wrapper = next(each for each in vars(comparing.Tolerance).values() if getattr(each, "__name__", "") == "__repr__")
    inside = next(cell.cell_contents for cell in wrapper.__closure__ if getattr(cell.cell_contents, "__code__", None))
    insist = judging_code({})
    monkeypatch.setattr(inside, "__code__", inside.__code__.replace(co_name="other"))
    with pytest.raises(InterferenceError, match="__repr__"):
        insist(0)


def test_a_tolerance_that_was_written_over_is_seen(insist):
    near = comparing.DEFAULT_TOLERANCES["float32"]
    before = near.atol
    object.__setattr__(near, "atol", 1e30)
    try:
        with pytest.raises(InterferenceError, match="DEFAULT_TOLERANCES"):
            insist(0)
    finally:
        object.__setattr__(near, "atol", before)
    insist(0)


def test_a_record_that_was_written_over_is_seen(insist):
    before = runs.LENIENT.poison
    structs.force_setattr(runs.LENIENT, "poison", before + 1)
    try:
        with pytest.raises(InterferenceError, match=r"LENIENT\.poison"):
            insist(0)
    finally:
        structs.force_setattr(runs.LENIENT, "poison", before)
    insist(0)


def test_a_record_is_read_by_nothing_that_user_code_can_replace(insist, monkeypatch):
    before, kept = runs.LENIENT.poison, collections.abc.ValuesView.__iter__
    monkeypatch.setattr(
        collections.abc.ValuesView,
        "__iter__",
        lambda view: iter([before if value == before + 1 else value for value in kept(view)]),
    )
    structs.force_setattr(runs.LENIENT, "poison", before + 1)
    try:
        with pytest.raises(InterferenceError, match=r"LENIENT\.poison"):
            insist(0)
    finally:
        structs.force_setattr(runs.LENIENT, "poison", before)
    insist(0)


def test_a_method_of_all_records_that_was_replaced_is_seen(insist, monkeypatch):
    monkeypatch.setattr(Struct, "__eq__", nothing)
    with pytest.raises(InterferenceError, match=r"Struct\.__eq__"):
        insist(0)


def test_all_that_judges_is_compared_where_no_part_is_named(insist, monkeypatch):
    function = next(name for name, each in vars(queries).items() if getattr(each, "__module__", "") == queries.__name__)
    monkeypatch.setattr(queries, function, nothing)
    with pytest.raises(InterferenceError, match=function):
        insist(None)
    seen = [part for part in range(PARTS) if _interferes(insist, part)]
    assert len(seen) == 1


def _interferes(insist, part):
    try:
        insist(part)
    except InterferenceError:
        return True
    return False


def test_the_rules_of_a_run_compare_all_parts():
    rules = catalogue.load_rules().values()
    assert {part_of(rule.id, seed) for rule in rules for seed in range(3)} == set(range(PARTS))


def test_a_rule_that_concerns_nothing_any_more_is_seen(insist):
    rule = next(iter(catalogue.load_rules().values()))
    before = rule.interfaces
    object.__setattr__(rule, "interfaces", frozenset())
    try:
        with pytest.raises(InterferenceError, match=f"it replaced rule {rule.id}.interfaces"):
            insist(None)
    finally:
        object.__setattr__(rule, "interfaces", before)


def test_a_rule_in_place_of_another_is_seen():
    rules = catalogue.load_rules()
    insist = judging_code(rules)
    rules["ENQ-010"] = rules["ENQ-001"]
    with pytest.raises(InterferenceError, match=r"it replaced rules.ENQ-010"):
        insist(None)


def test_another_class_of_a_constant_is_seen(insist):
    near = comparing.DEFAULT_TOLERANCES["float32"]
    before = type(near)
    object.__setattr__(near, "__class__", Tolerance)
    try:
        with pytest.raises(InterferenceError, match=r"the class of an object: .*\.ByTheLargest"):
            insist(0)
    finally:
        object.__setattr__(near, "__class__", before)
    insist(0)


def test_what_libraries_replace_with_a_good_intent_is_theirs(insist, monkeypatch):
    monkeypatch.setattr(builtins, "print", nothing)
    monkeypatch.setattr(np, "set_printoptions", nothing)
    monkeypatch.setattr("random.seed", lambda *_: None)
    settle_chance(0)
    insist(None)
