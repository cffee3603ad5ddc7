"""Ids of rules in a page of the site lead to the rules' pages."""

import pytest

markdown = pytest.importorskip("markdown", reason="needs the group 'docs'", exc_type=ModuleNotFoundError)

from tools.rule_references import RuleReferences  # noqa: E402 - it needs the package


@pytest.mark.parametrize(
    ("page", "text", "html"),
    [
        ("a.md", "see FMT-001.", '<p>see <a href="rules/FMT-001.md">FMT-001</a>.</p>'),
        ("how_to/a.md", "FMT-001", '<p><a href="../rules/FMT-001.md">FMT-001</a></p>'),
        ("rules/FMT.md", "FMT-001", '<p><a href="FMT-001.md">FMT-001</a></p>'),
        ("rules/FMT-001.md", "FMT-001", "<p>FMT-001</p>"),
        ("a.md", "FMT-999 and UTF-8", "<p>FMT-999 and UTF-8</p>"),
        ("a.md", "`FMT-001`", "<p><code>FMT-001</code></p>"),
        ("a.md", "[FMT-001](b.md)", '<p><a href="b.md">FMT-001</a></p>'),
        ("a.md", "# FMT-001", "<h1>FMT-001</h1>"),
    ],
)
def test_an_id_in_text_is_a_link(page, text, html):
    references = RuleReferences()
    references.ids, references.page = frozenset({"FMT-001"}), page
    assert markdown.markdown(text, extensions=[references]) == html
