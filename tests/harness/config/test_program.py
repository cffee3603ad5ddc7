"""What `--plugin-app` can name, and the one form that all of it has inside."""

import pytest

from harness.config import program as programs
from harness.config.program import Program


@pytest.mark.parametrize(
    ("text", "named", "written"),
    [
        ("app:main", Program("app", "main"), "app:main"),
        ("my/app.py:main", Program("my/app.py", "main"), "my/app.py:main"),
        ("pad.py", Program("pad.py", "__main__"), "pad.py:__main__"),
        (
            "pad.py --precision fp16 --name 'a b'",
            Program("pad.py", "__main__", ("--precision", "fp16", "--name", "a b")),
            "pad.py:__main__ --precision fp16 --name 'a b'",
        ),
        ("app:main x:y.py", Program("app", "main", ("x:y.py",)), "app:main x:y.py"),
    ],
)
def test_a_program_is_read_from_text_and_written_in_one_form(text, named, written):
    assert programs.parse(text) == named
    assert str(named) == written
    assert programs.parse(written) == named


@pytest.mark.parametrize("text", ["", "app", "app:", ":main", "app:1"])
def test_what_names_no_program_is_refused(text):
    with pytest.raises(ValueError, match=r"write it as MODULE:FUNCTION or SCRIPT\.py"):
        programs.parse(text)


def test_the_plugins_of_a_program_are_a_subject_of_their_own():
    subject = programs.plugins_of("pad.py:__main__ --fast")
    assert subject != "pad.py:__main__ --fast"
    assert programs.program_of(subject) == "pad.py:__main__ --fast"
    assert programs.program_of("pad.py:__main__ --fast") == ""
