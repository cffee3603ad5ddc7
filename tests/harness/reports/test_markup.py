"""Text of others stays text in Markdown."""

from harness.reports import markup


def test_a_fence_is_longer_than_any_in_the_text():
    assert markup.fenced("a ```` b") == "`````text\na ```` b\n`````"
    assert markup.fenced("plain") == "```text\nplain\n```"


def test_code_in_a_line_has_no_line_ends_and_no_bars():
    assert markup.code("a\nb") == "`a b`"
    assert markup.code("a|b") == "`a\\|b`"
    assert markup.code("a`b") == "`` a`b ``"
