"""Which violations an answer carries."""

from harness.contract.finding import MOST_VIOLATIONS, Violation, worth_showing


def violation(where, what="wrong"):
    return Violation(what, where, "right", "not right", "Correct it.")


def test_few_violations_are_all_carried_in_order_and_each_once():
    few = [violation("clone"), violation("enqueue"), violation("clone")]
    assert worth_showing(few) == (few[0], few[1])


def test_of_many_another_place_comes_before_other_numbers():
    many = [violation(f"clone at {number}") for number in range(2 * MOST_VIOLATIONS)]
    elsewhere = violation("deserialize_plugin at 3")
    assert worth_showing([*many, elsewhere]) == (many[0], elsewhere, *many[1 : MOST_VIOLATIONS - 1])
