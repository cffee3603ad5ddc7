"""The plugin's answers about formats are a grid, and a table."""

from harness.reports.html.formats import format_grid
from tests.support.html_documents import marks, parsed


def row(tensor="input 0", after=(), accepted=("FLOAT:LINEAR",), refused=("HALF:LINEAR", "FLOAT:CHW32"), **failed):
    return {"tensor": tensor, "after": list(after), "accepted": list(accepted), "refused": list(refused),
            "failed": {name.replace("_", ":"): how for name, how in failed.items()}}  # fmt: skip


def test_each_answer_is_a_mark_that_says_what_it_is():
    page = format_grid([row(), row("output 0", ["FLOAT:LINEAR"], HALF_CHW2="raised ValueError: <no>")])
    assert marks(page, "yes") == ["input 0, FLOAT:LINEAR: accepted", "output 0 after FLOAT, FLOAT:LINEAR: accepted"]
    assert len(marks(page, "no")) == 4
    assert marks(page, "no-answer") == ["output 0 after FLOAT, HALF:CHW2: failed: raised ValueError: <no>"]


def test_columns_of_one_type_are_neighbours_and_linear_is_not_named():
    heads = [each.text for each in parsed(format_grid([row()])).iter("text") if "rotate" in each.get("transform", "")]
    assert heads == ["FLOAT", "FLOAT:CHW32", "HALF"]


def test_equal_forms_before_a_tensor_are_counted():
    page = format_grid([row("output 0", ["FLOAT:LINEAR", "FLOAT:LINEAR", "HALF:CHW2"])])
    assert "output 0 after FLOAT \N{MULTIPLICATION SIGN}2, HALF:CHW2" in page


def test_a_legend_has_no_failure_where_there_is_none():
    assert "the query failed" not in format_grid([row()])
    assert "the query failed" in format_grid([row(HALF_CHW2="raised")])


def test_the_picture_is_told_in_words():
    page = format_grid([row(), row()])
    assert "<title>6 questions about formats, 2 accepted</title><desc>input 0 accepts FLOAT:LINEAR;" in page
    assert '<th scope="row">input 0</th><td>FLOAT:LINEAR</td><td>HALF:LINEAR, FLOAT:CHW32</td>' in page
