"""Numbers and lists of names in words."""

from harness.contract.wording import counted, named


def test_a_number_is_told_with_its_noun():
    assert [counted(number, "rule") for number in (0, 1, 2310)] == ["0 rules", "1 rule", "2,310 rules"]


def test_long_lists_of_names_are_cut():
    assert named(["A-1", "A-2"]) == "A-1, A-2"
    assert named([f"A-{n}" for n in range(1, 9)]) == "A-1, A-2, A-3, A-4, A-5, A-6 and 2 more"
