"""A plugin's life is one time line, with a lane for each object and the memory of the device."""

from harness.reports.html.life import life
from tests.harness.controller.tracing.test_read import call, end
from tests.support.html_documents import marks, parsed, trace


def words(drawn):
    return "".join(parsed(drawn).itertext())


def test_each_object_has_a_lane_that_says_where_it_comes_from():
    told = words(life(trace()))
    for lane in ("P#1, original", "P#2, clone", "Creator#1"):
        assert lane in told


def test_each_call_is_a_mark_in_order():
    found = marks(life(trace()), "call")
    assert [each.partition(":")[0] for each in found][:3] == ["1. Creator#1.create_plugin", "2. P#1.clone",
                                                           "3. P#2.supports_format_combination"]  # fmt: skip


def test_a_failed_call_is_a_cross_and_an_execution_is_larger():
    drawn = life(trace(call(1, method="enqueue"), end(1), call(2), end(2, outcome="raised", value="ValueError: <no>")))
    assert marks(drawn, "cross") == ["2. P#1.clone: raised ValueError: <no>"]
    assert marks(drawn, "call run") == ["1. P#1.enqueue: returned None"]
    assert "TensorRT's default" not in drawn


def test_memory_grows_in_steps():
    drawn = life(trace(call(1), end(1, memory=[2048, 0]), call(2), end(2, memory=[512, 512])))
    areas = {each.get("class"): each for each in parsed(drawn).iter("path") if "memory" in each.get("class", "")}
    assert areas["memory-all"].findtext("title") == "all: at most 2 KiB"
    assert areas["memory-own"].findtext("title") == "the plugin's own: at most 512 bytes"
    heights = [float(part.partition(" ")[2].partition("h")[0]) for part in areas["memory-all"].get("d").split("L")[1:]]
    assert heights[0] < heights[1]


def test_without_memory_the_curve_is_left_out():
    drawn = life(trace())
    assert "memory-all" not in drawn
    assert "so its curve is left out" in drawn


def test_a_call_that_never_returned_keeps_the_memory_before_it():
    drawn = life(trace(call(1), end(1, memory=[100, 0]), call(2, method="enqueue")))
    assert marks(drawn, "cross") == ["2. P#1.enqueue: did not return"]
    assert "at most 100 bytes" in drawn


def test_many_calls_are_bounded_and_the_picture_says_so():
    drawn = life(trace(*(part for number in range(1, 701) for part in (call(number), end(number)))))
    assert len(marks(drawn, "call")) == 600
    assert "The first 600 calls are drawn; the table has the others." in drawn


def test_without_calls_there_is_no_picture():
    assert life({"calls": [], "objects": [], "steps": []}) is None


def test_the_drawing_is_told_in_words():
    drawn = life(trace())
    assert "<title>Life of the plugin: 6 calls on 3 objects</title><desc>" in drawn
    assert "P#1, original: 1 call" in drawn
