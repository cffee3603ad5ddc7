"""Hard sentences are found in text, and never in code."""

import prose
import pytest

SOURCE = '''"""Nobody asked."""

WORDS = ("such", "such a text")


def found(name):
    """Return what is found.

    Whoever calls this knows why.
    """
    return f"{name} is told"
'''


@pytest.fixture(autouse=True)
def registered():
    prose.register()


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("A plugin of which nothing is known.", ["of which"]),
        ("Whatever it returns is kept.", ["Whatever"]),
        ("Formats such as LINEAR are described; such formats are not.", ["such"]),
        ("The rule tells where it lies.", ["tells", "lies"]),
        ("It stands for a size, and stands in a table.", ["stands"]),
        ("The the clone.", ["The the"]),
        ("A stand-in, named in stand_ins, reports the first difference.", []),
    ],
)
def test_hard_words_are_found(sentence, words, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(sentence + "\n")
    assert [line.split("'")[1] for line in prose.findings(page)] == words


def test_code_in_a_page_is_left_out(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("`tell` and [a page](such.md)\n\n```text\nnobody\n```\n\nTold.\n")
    assert prose.findings(page) == [f"{page}:7: 'Told': write 'reports', 'says', 'shows' or 'distinguishes'"]


def test_docstrings_and_messages_are_read_in_their_lines(tmp_path):
    module = tmp_path / "module.py"
    module.write_text(SOURCE)
    lines = [int(line.split(":")[1]) for line in prose.findings(module)]
    assert lines == [1, 3, 9, 11]


def test_anything_found_is_an_exit_code_and_a_line_each(tmp_path, capsys):
    (tmp_path / "page.md").write_text("Whoever.\n")
    assert prose.main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.count("\n") == 1
    (tmp_path / "page.md").write_text("The rule reports it.\n")
    assert prose.main([str(tmp_path)]) == 0
    assert not capsys.readouterr().out
