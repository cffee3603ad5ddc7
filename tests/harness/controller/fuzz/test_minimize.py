"""Steps of an example are left out and its numbers lowered, one at a time, as far as it still fails."""

from harness.controller.fuzz.minimize import lowered


def first(fails):
    return lambda examples: next((each for each in examples if fails(each)), None)


def test_a_number_jumps_over_those_that_pass():
    fails = first(lambda example: example["shapes"][0][1] in {25, 31, 43})
    assert lowered({"shapes": [[3, 43]]}, fails) == {"shapes": [[0, 25]]}


def test_numbers_that_depend_on_each_other_are_lowered_in_turns():
    fails = first(lambda example: example[0] + example[1] >= 10 and example[0] >= 2)
    assert lowered([9, 9], fails) == [2, 8]


def test_a_large_number_comes_near_its_limit():
    assert lowered(4000, first(lambda number: number >= 1234)) == 1234


def test_what_is_no_number_stays():
    example = {"name": "x", "flag": True, "none": None, "list": []}
    assert lowered(example, first(lambda _: True)) == example


def test_the_example_itself_stays_as_it_is():
    example = {"shapes": [[4]]}
    lowered(example, first(lambda _: True))
    assert example == {"shapes": [[4]]}


def test_objects_that_are_not_needed_are_left_out_of_lists():
    steps = [{"do": place} for place in (3, 1, 4, 1, 5)]
    fails = first(lambda example: [step["do"] for step in example["steps"]].count(1) > 1)
    assert lowered({"steps": steps}, fails) == {"steps": [{"do": 1}, {"do": 1}]}


def test_what_lists_hold_beside_objects_stays():
    fails = first(lambda example: len(example["shapes"]) > 1)
    assert lowered({"shapes": [[3, 4], [5]]}, fails) == {"shapes": [[0, 0], [0]]}


def test_steps_that_do_not_matter_are_left_out():
    a, b, c = ({"do": letter, "at": 3} for letter in "abc")
    fails = first(lambda example: {"b", "c"} <= {each["do"] for group in example["groups"] for each in group})
    assert lowered({"groups": [[a], [a, b], [c, a]]}, fails) == {"groups": [[{**b, "at": 0}], [{**c, "at": 0}]]}


def test_a_shape_keeps_its_extents():
    assert lowered({"shapes": [[0, 0], [0]]}, first(lambda _: True)) == {"shapes": [[0, 0], [0]]}


def test_steps_of_a_program_are_left_out():
    example = {"program": [["a"], ["b", 3], ["c"], ["b", 2]]}
    fails = first(lambda each: ["a"] in each["program"] and any(step[0] == "b" for step in each["program"]))
    assert lowered(example, fails) == {"program": [["a"], ["b", 0]]}
    assert len(example["program"]) == 4
