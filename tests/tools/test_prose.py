"""Hard sentences are found in text, and never in code."""

import prose
import prose_checks
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


#: A bad and a good sentence for each check of ours.
SENTENCES = {
    "of_what": ("A file of what it wrote.", "A file of its output."),
    "stand_for": ("A name stands for a size.", "A name means a size."),
    "of_which": ("A plugin of which we know little.", "A plugin that we know little about."),
    "such": ("The rule refuses such formats.", "The rule refuses formats such as LINEAR."),
    "whoever": ("Whatever it returns is kept.", "The run keeps each result."),
    "nobody": ("Nobody calls it.", "No callback calls it."),
    "nothing": ("Nothing is written.", "No file is written."),
    "tell": ("The rule tells the line.", "The rule reports the line."),
    "stands": ("It stands in a table.", "It is in a table; a stand-in, named in stand_ins, replaces it."),
    "is_there": ("The file is there.", "The file exists."),
    "what_there_is": ("It prints what there is.", "It prints all entries."),
    "another_than": ("It has another type than the input.", "Its type differs from the input's."),
    "of_ours": ("It has a process of its own.", "It has its own process."),
    "comes_of": ("The engine is made again.", "The engine is created a second time."),
    "so_does": ("The clone fails, and so does the plugin.", "The clone and the plugin fail."),
    "each_a": ("It prints one line a failure.", "It prints one line for each failure."),
    "extent": ("The extents of the input.", "The dimensions of the input."),
    "else_than": ("It returns something else than bytes.", "Its result is not bytes."),
    "somebody": ("Somebody closed the file.", "The plugin closed the file."),
    "own_words": ("Mend the computation.", "Fix the computation."),
    "the_one": ("It uses the real one.", "It uses the real kernel."),
    "stilted": ("Lest it fails.", "So that it does not fail."),
    "twice": ("The the clone.", "The clone."),
    "length": (f"It {'really ' * 20}works.", f"It {'really ' * 18}works. It ends."),
}


def test_each_check_has_a_bad_and_a_good_sentence():
    assert {f"plain.{name}" for name in SENTENCES} == {check.path for check in prose_checks.CHECKS}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_bad_sentence_is_found_and_a_good_sentence_is_not(name, tmp_path):
    bad, good = SENTENCES[name]
    page = tmp_path / "page.md"
    page.write_text(f"{good}\n\n{bad}\n")
    assert [line.split(":")[1:3] for line in prose.findings(page)] == [["3", f" plain.{name}"]]


#: A bad and a good begin for the docstrings of a module, a class and a function.
BEGINS = {
    "verb": [("How the run ends.", "End the run."), ("Does a plugin keep its state?", "Whichever")],
    "noun": [("What a run found.", "The findings of a run."), ("Where a rule is.", "A file and a line.")],
}
PLACES = {
    "verb": ('"""{}"""\n', 'class Run:\n    def end(self):\n        """{}"""\n', 'async def end():\n    """{}"""\n'),
    "noun": ('class Run:\n    """{}"""\n', 'def end():\n    class Run:\n        """{}"""\n'),
}


@pytest.mark.parametrize("word", BEGINS)
def test_a_docstring_begins_with_a_verb_and_that_of_a_class_with_a_noun(word, tmp_path):
    module = tmp_path / "module.py"
    for place in PLACES[word]:
        for bad, good in BEGINS[word]:
            line = place.partition('"""')[0].count("\n") + 1
            module.write_text(place.format(bad))
            assert f"{module}:{line}: plain.begin: begin with a {word}" in prose.findings(module)
            module.write_text(place.format(good))
            assert not any("plain.begin" in each for each in prose.findings(module))


def test_a_question_in_code_is_no_question(tmp_path):
    module = tmp_path / "module.py"
    module.write_text('def suggestion(word):\n    """Return ``did you mean?`` for a word."""\n')
    assert prose.findings(module) == []


def test_a_sentence_ends_with_its_paragraph_cell_or_item(tmp_path):
    words = "word " * 12
    page = tmp_path / "page.md"
    page.write_text(f"# {words}\n\n{words}\n\n* {words}\n* {words}\n\n| {words} | {words} |\n")
    assert prose.findings(page) == []


def test_an_entry_of_a_docstring_begins_a_sentence(tmp_path):
    module = tmp_path / "module.py"
    words = "word " * 12
    module.write_text(
        f'class A:\n    """Hold it.\n\n    Attributes:\n        one: {words}\n        two: {words}\n    """\n'
    )
    assert prose.findings(module) == []


def test_a_span_of_code_is_a_word_and_a_field_is_a_word(tmp_path):
    page, module = tmp_path / "page.md", tmp_path / "module.py"
    page.write_text(f"It prints `{'many words ' * 12}` in {'one ' * 15}line.\n")
    module.write_text(f'TEXT = f"{{name}} {"really " * 18}works."\nOTHER = f"{{name}} {"really " * 19}works."\n')
    assert prose.findings(page) == []
    assert [line.split(":")[1] for line in prose.findings(module)] == ["2"]


def test_code_in_a_page_is_left_out(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("`tell` and [a page](such.md)\n\n```text\nnobody\n```\n\nTold.\n")
    assert prose.findings(page) == [
        f"{page}:7: plain.tell: 'Told': write 'reports', 'says', 'shows' or 'distinguishes'"
    ]


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


def test_parameters_and_commands_begin_sentences(tmp_path):
    page = tmp_path / "module.py"
    words = "word " * 10
    entries = f"    first: {words}\n    second: {words}\n    third: {words}\n    python tools/x.py {words}\n"
    page.write_text(f'"""Do it.\n\nArgs:\n{entries}"""\n')
    assert not prose.findings(page)


def test_a_source_in_cpp_is_left_out(tmp_path):
    page = tmp_path / "module.py"
    page.write_text(f'KERNEL = """\nvoid scale(float* x) {{\n    {"such a " * 30}\n}}\n"""\n')
    assert not prose.findings(page)


def test_a_list_of_code_is_a_word(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"It prints {', '.join(['`name`'] * 30)} in {'one ' * 15}line.\n")
    assert not prose.findings(page)


def test_references_below_source_in_a_table_are_left_out(tmp_path):
    page = tmp_path / "page.md"
    table = "| rule | source | witness |\n|---|---|---|\n| {0} | {1} | {0} |\n"
    page.write_text(table.format("It is right.", f"{'word ' * 30}\\| told"))
    assert not prose.findings(page)
    page.write_text(table.format("It is told.", "a header"))
    assert [line.split(":")[1] for line in prose.findings(page)] == ["3", "3"]
    page.write_text("| rule | source |\n|---|---|\n\n| rule |\n|---|\n| told |\n")
    assert [line.split(":")[1] for line in prose.findings(page)] == ["6"]


def test_a_list_of_names_is_left_out(tmp_path):
    module = tmp_path / "module.py"
    module.write_text(f'NAMES = names("""\n    {"Abs MatMul " * 15}\n""")\n')
    assert not prose.findings(module)
