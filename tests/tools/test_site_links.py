"""Links of the code host, as the site needs them."""

import pytest

from tools.site_links import moved, origin, place


@pytest.mark.parametrize(
    ("page", "link", "there"),
    [
        ("options.md", "gpu.md#on-a-gpu", "gpu.md#on-a-gpu"),
        ("options.md", "../README.md", "index.md"),
        ("options.md", "../tests/data/kill_matrix.json", "contributing/kill_matrix.md"),
        ("how_to/debug_a_rule.md", "../options.md#levels", "../options.md#levels"),
        ("how_to/debug_a_rule.md", "../../CONTRIBUTING.md", "../contributing.md"),
        ("index.md", "docs/options.md", "options.md"),
        ("changelog.md", "docs/options.md", "options.md"),
    ],
)
def test_a_link_leads_to_where_the_page_lies_on_the_site(page, link, there):
    assert moved(f"see [it]({link}).", page) == f"see [it]({there})."


@pytest.mark.parametrize("link", ["https://example.org/a", "#anchor", "mailto:a@example.org"])
def test_other_links_stay(link):
    assert moved(f"[it]({link})", "options.md") == f"[it]({link})"


def test_of_a_link_to_what_is_no_page_the_text_is_left():
    assert moved("[`bar`](../plugin_examples/bar.py) and", "options.md") == "`bar` and"


def test_code_stays():
    text = "```text\n[it](../README.md)\n```\n![a picture](a.svg)\n"
    assert moved(text, "options.md") == text


def test_a_picture_moves_with_its_page():
    assert moved("![a picture](docs/a.png)", "index.md") == "![a picture](a.png)"


def test_a_text_of_another_file_has_the_links_of_that_file():
    assert moved("[it](../gpu.md)", "rules/FMT.md", "docs/contributing/excused_rules.md") == "[it](../gpu.md)"


def test_each_page_knows_where_it_comes_from():
    assert [origin(place(path)) for path in ("README.md", "docs/a/b.md")] == ["README.md", "docs/a/b.md"]
    assert place("harness/contract/rule.py") is None
