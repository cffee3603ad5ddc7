"""Constants that a plugin's source compares."""

import sys
import types

import pytest

from harness.child.discovery import source_hints
from harness.child.discovery.source_hints import SourceHints, hints_of

SOURCE = """
def create(backend, inputs, mode, level):
    if backend not in ("cupy", "torch") or mode == "" or backend == "cupy":
        raise ValueError("unknown backend")
    if len(inputs) != 7 or 30 < len(inputs) or level == 3:
        raise ValueError("seven inputs")
    match mode:
        case "fast":
            return 1
"""


@pytest.fixture
def written(monkeypatch):
    def write(source):
        monkeypatch.setitem(sys.modules, "hinted", types.ModuleType("hinted"))
        monkeypatch.setattr(source_hints.inspect, "getsource", lambda _: source)
        return hints_of(type("Creator", (), {"__module__": "hinted"})())

    return write


def test_texts_and_lengths_are_found_once_each_and_in_order(written):
    assert written(SOURCE) == SourceHints(("cupy", "torch", "fast"), (7,), {"backend": ("cupy", "torch")})


def test_a_number_of_inputs_is_a_length(written):
    assert written("def supports(pos, num_inputs):\n    return num_inputs == 12").lengths == (12,)


def test_names_that_python_gives_are_no_texts_to_try(written):
    assert written('if __name__ == "__main__":\n    main()') == SourceHints()


def test_a_refusal_teaches_texts_and_numbers(written):
    hints = written(SOURCE).learning(
        ["raised ValueError: mode must be 'same' or \"full\", not [2] of 4 elements in v1.3"]
    )
    assert hints.words == ("cupy", "torch", "fast", "same", "full")
    assert hints.lengths == (7, 2, 4)


def test_what_cannot_be_read_gives_no_hint(written):
    assert written("def f(:") == SourceHints()
    assert hints_of(type("Creator", (), {"__module__": "no_module_of_this_name"})()) == SourceHints()
