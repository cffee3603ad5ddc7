"""Whatever is not markup is escaped, and what cannot be seen is shown."""

import pytest

from harness.reports.html.markup import Html, element, joined, text


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("<b> & \"'", "&lt;b&gt; &amp; &quot;&#x27;"),
        ("a\x00b\x1b[31m", "a\\x00b\\x1b[31m"),
        ("exe.\u202etxt", "exe.\\u202etxt"),
        ("\ud800", "\\ud800"),
        ("two\nlines\tand a tab, µs", "two\nlines\tand a tab, µs"),
        (3, "3"),
    ],
)
def test_text_is_escaped_and_readable(given, told):
    assert text(given) == told


def test_elements_escape_what_is_in_them_but_not_other_elements():
    inner = element("b", "<i>")
    assert element("p", "a<", inner, None) == "<p>a&lt;<b>&lt;i&gt;</b></p>"


def test_attributes_are_escaped_and_spelled_as_html_has_them():
    made = element("a", "x", href='"><script>', class_="c", aria_label="l", name="n", hidden=True, open=False, id=None)
    assert made == '<a href="&quot;&gt;&lt;script&gt;" class="c" aria-label="l" name="n" hidden>x</a>'


def test_void_elements_have_no_end():
    assert element("br") == "<br>"


def test_markup_stays_markup_when_it_is_put_together():
    assert joined(["<", Html("<br>"), None]) == "&lt;<br>"
    assert isinstance(joined([]), Html)
