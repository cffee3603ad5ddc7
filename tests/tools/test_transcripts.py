"""The blocks of a document: how they are found, compared, changed and renewed."""

import pytest

from tools import transcripts
from tools.transcripts import TranscriptError, blocks, difference, edited, shortened

PAGE = """
<!-- file: a.txt -->
```text
one
```

<!-- edit: a.txt -->
```diff
-one
+two
```

<!-- run: exit 3 -->
```console
$ cat a.txt
two

$ echo gone; \\
  exit 3
gone
```

<!-- file: b.txt from LICENSE -->

```python
no_transcript = True
```
"""


def run(page, folder):
    session = transcripts.Session(folder)
    for block in blocks(page):
        if block.is_transcript:
            yield from [(command, session.run(command)) for command in block.commands()]
        else:
            session.prepare(block)


def test_the_blocks_of_a_page_are_one_session(tmp_path):
    assert [(actual, status) for _, (actual, status) in run(PAGE, tmp_path)] == [("two", 0), ("gone", 3)]
    assert (tmp_path / "plugins/b.txt").read_text() == (transcripts.ROOT / "LICENSE").read_text()


def test_commands_have_their_outputs_and_the_last_its_exit_status():
    commands = next(block for block in blocks(PAGE) if block.is_transcript).commands()
    assert [(command.output, command.status) for command in commands] == [("two", 0), ("gone", 3)]
    assert commands[1].line == "echo gone; \\\n  exit 3"


@pytest.mark.parametrize(
    ("note", "is_long", "package", "reason"),
    [
        ("run: long", True, "", ""),
        ("run: exit 1, long", True, "", ""),
        ("run: with onnx", False, "onnx", ""),
        ("not run: needs a GPU", False, "", "needs a GPU"),
        ("not run: tests/tools/test_transcripts.py runs it", False, "", "tests/tools/test_transcripts.py runs it"),
    ],
)
def test_a_comment_says_how_a_block_is_run(note, is_long, package, reason):
    (block,) = blocks(f"<!-- {note} -->\n```text\n$ true\n```\n")
    assert (block.is_long, block.package, block.reason) == (is_long, package, reason)


@pytest.mark.parametrize(
    "note", ["not run: no time", "not run: tests/no_such.py runs it", "run: later", "command: main", "file: x.py"]
)
def test_a_transcript_with_another_comment_is_an_error(note):
    with pytest.raises(TranscriptError, match="line 1: "):
        blocks(f"<!-- {note} -->\n```text\n$ true\n```\n")


def test_a_comment_to_run_what_is_no_transcript_is_an_error():
    with pytest.raises(TranscriptError, match="run: long"):
        blocks("<!-- run: long -->\n```text\nno prompt\n```\n")


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("a\nb", "a\nb"),
        ("a\n...\nd", "a\nb\nc\nd"),
        ("a\n...\nd", "a\nd"),
        ("...", ""),
        ("...\nb\n...\nb\nc\n...", "a\nb\nb\nb\nc\nd"),
        ("\n...\n".join("abcd"), "\n".join("a" * 500 + "b" * 500 + "c" * 500 + "d")),
        ("at 0x... here", "at 0x7f00 here"),
        ("===== 1 failed in 0.51s =====", "======= 1 failed in 12.33s ======="),
        ("issued 2026-11-28T13:09:02Z by x 0.1.0 (y)", "issued 2026-11-29T14:09:02Z by x 0.1.0.dev9+gabc (y)"),
        ("first_call    664.18 us, in 20", "first_call  1,664.18 us, in 20"),
        ("passed in 186.93s (0:03:06)", "passed in 2.00s"),
    ],
)
def test_outputs_are_the_same_up_to_times_and_dots(expected, actual):
    assert difference(expected, actual) == ""


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("a", "b"),
        ("a", "a\nb"),
        ("a\n...\nd", "a\nb"),
        ("a\n...\na", "a"),
        ("\n...\n".join("abcd"), "\n".join("a" * 500 + "b" * 500)),
        ("", "a"),
        ("1 failed in 0.51s", "2 failed in 0.51s"),
        ("2 rules failed (A-001)", "3 rules failed (A-001)"),
        ("FAIL [2 of 22 evaluations]", "FAIL [3 of 22 evaluations]"),
        ("1 NOT-RUN (A-001)", "1 NOT-RUN (A-002)"),
        ("1 WARN (A-001)", "2 WARN (A-001)"),
        ("===== 291 passed, 73 skipped in 7.22s =====", "==== 1,292 passed, 74 skipped in 7.22s ===="),
        ("selected 1 of 182 rules · 1 rule failed (A-001)", "selected 2 of 183 rules · 1 rule failed (A-001)"),
        ("2 rules passed, 22 evaluations, 9 N/A", "11 rules passed, 1,022 evaluations, 10 N/A"),
        ("81 NOT-RUN (A-001, A-002 and 75 more)", "82 NOT-RUN (A-001, A-002 and 76 more)"),
        ("my_plugins; 321 rules of TensorRT 10", "my_plugins; 322 rules of TensorRT 10"),
        ("  182 verdicts: complete", "  183 verdicts: complete"),
    ],
)
def test_other_outputs_are_told(expected, actual):
    assert difference(expected, actual) != ""


def test_a_change_that_does_not_fit_is_an_error():
    with pytest.raises(TranscriptError, match="0 times"):
        edited("one\n", "-two\n+three\n")
    with pytest.raises(TranscriptError, match="2 times"):
        edited("one\none\n", "-one\n+two\n")


def test_a_change_may_have_several_parts():
    assert edited("a\nb\nc\nd\n", "-a\n+A\n@@\n c\n-d\n") == "A\nb\nc\n"


def test_a_new_output_is_shortened_where_the_old_one_was():
    old = "head\n...\nFAIL 2 of 3: wrong\n  what x\n...\nend 1"
    new = "head\na\nb\nFAIL 4 of 9: wrong\n  what y\nc\nend 2"
    assert shortened(old, new) == "head\n...\nFAIL 4 of 9: wrong\n  what y\n...\nend 2"
    assert shortened("all", new) == new


def test_a_page_is_renewed_and_the_rest_of_it_stays():
    page = "before\n\n```text\n$ echo new\nold\n```\n\n<!-- not run: needs a GPU -->\n```text\n$ echo new\nold\n```\n"
    assert transcripts.renewed(page) == page.replace("new\nold", "new\nnew", 1)


def test_what_takes_long_can_stay_as_it_is():
    page = "<!-- run: long -->\n```text\n$ echo new\nold\n```\n"
    assert transcripts.renewed(page, long=False) == page
    assert transcripts.renewed(page) == page.replace("old", "new")


def test_what_pytest_tells_of_the_machine_is_left_out(tmp_path):
    page = (
        "```text\n$ pytest --plugin-module=plugin_examples.faulty.bases.sound_scale --plugin-select=ID-001\n...\n```\n"
    )
    ((_, (actual, status)),) = run(page, tmp_path)
    assert (actual.splitlines()[0].strip("= "), status) == ("TensorRT plugin conformance", 0)
