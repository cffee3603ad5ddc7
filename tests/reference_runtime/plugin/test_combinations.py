import pytest

from reference_runtime.plugin.combinations import AutoTuneCombination, ways_of


def spelled(*arguments):
    return [
        [f"{dtype.name}:{layout.name}" for dtype, layout in zip(way.types, way.layouts, strict=True)]
        for way, _ in ways_of(AutoTuneCombination(*arguments))
    ]


def test_what_is_separated_by_a_bar_goes_together():
    assert spelled("FP32|FP16, FP32|FP16") == [["FLOAT:LINEAR"] * 2, ["HALF:LINEAR"] * 2]


def test_what_is_separated_by_a_star_goes_with_everything():
    assert spelled("FP32|FP16, FP32|FP16, FP32*INT8") == [
        ["FLOAT:LINEAR", "FLOAT:LINEAR", "FLOAT:LINEAR"],
        ["HALF:LINEAR", "HALF:LINEAR", "FLOAT:LINEAR"],
        ["FLOAT:LINEAR", "FLOAT:LINEAR", "INT8:LINEAR"],
        ["HALF:LINEAR", "HALF:LINEAR", "INT8:LINEAR"],
    ]


def test_formats_go_with_every_choice_of_types():
    assert spelled("FP32*FP16, FP32", "LINEAR*HWC, LINEAR") == [
        ["FLOAT:LINEAR", "FLOAT:LINEAR"],
        ["FLOAT:HWC", "FLOAT:LINEAR"],
        ["HALF:LINEAR", "FLOAT:LINEAR"],
        ["HALF:HWC", "FLOAT:LINEAR"],
    ]


@pytest.mark.parametrize(
    ("types", "error"),
    [
        ("FP32|FP16*INT8, FP32", ValueError),
        ("FP32|FP16, FP32|FP16|INT8", ValueError),
        ("FP33", AttributeError),
    ],
)
def test_texts_that_say_nothing_are_refused_when_they_are_spelled_out(types, error):
    combination = AutoTuneCombination(types)
    with pytest.raises(error):
        ways_of(combination)


def test_positions_come_in_any_order_and_once():
    combination = AutoTuneCombination()
    combination.pos([1], "FP32")
    combination.pos([0], "FP16", "HWC")
    combination.tactics([2, 1])
    (way, tactics) = ways_of(combination)[0]
    assert [dtype.name for dtype in way.types] == ["HALF", "FLOAT"]
    assert tactics == {1, 2}
    with pytest.raises(ValueError, match="already specified"):
        combination.pos([1], "FP16")


def test_the_documented_call_with_a_number_raises_as_the_original_does():
    with pytest.raises(TypeError):
        AutoTuneCombination().pos(1, "FP32")
