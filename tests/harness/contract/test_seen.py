"""What answers saw is put together for a case, and bounded."""

from harness.contract.seen import MOST_REPORTED, extents_of, formats_of, merged, shape_text, shapes_of

TABLE = [
    {"tensor": "input 0", "after": [], "accepted": ["FLOAT:LINEAR"], "refused": [], "failed": {"HALF:LINEAR": "no"}}
]


def test_shapes_of_several_inputs_and_of_a_scalar_keep_their_extents():
    for shapes in (((2, 3), (4,)), ((), (1,)), ((0, 7),)):
        assert extents_of(shape_text(shapes)) == shapes


def test_a_shape_that_violates_once_violates_in_the_whole():
    for parts in (({"2": True}, {"2": False}), ({"2": False}, {"2": True})):
        assert merged([{"shapes": part} for part in parts])["shapes"] == {"2": True}


def test_the_first_format_table_counts():
    assert merged([None, {"formats": TABLE}, {"formats": [{}]}])["formats"] == TABLE
    (row,) = formats_of({"formats": TABLE})
    assert (row.tensor, row.accepted, row.failed) == ("input 0", ("FLOAT:LINEAR",), {"HALF:LINEAR": "no"})


def test_where_nothing_was_asked_or_executed_there_is_no_data():
    assert (formats_of({}), shapes_of({}), shapes_of(merged([None]))) == (None, None, None)


def test_a_bound_leaves_out_shapes_that_held_and_none_that_violate():
    many = {str(number): False for number in range(10)} | {"99": True}
    assert set(merged([{"shapes": many}], 3)["shapes"]) == {"0", "1", "2", "99"}


def test_a_report_has_the_violating_shapes_and_an_even_part_of_the_others():
    tried = shapes_of({"shapes": {str(number): number == 7 for number in range(2 * MOST_REPORTED)}})
    assert tried.violating == (((7,),),)
    assert (len(tried.held), tried.left_out) == (MOST_REPORTED - 1, MOST_REPORTED)
    assert tried.held[0] == ((0,),)
    assert tried.held[-1][0][0] >= 2 * MOST_REPORTED - 4
