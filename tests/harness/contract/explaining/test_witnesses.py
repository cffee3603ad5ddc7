"""Faulty examples are read as text, and say which rule they break."""

import json
from pathlib import Path

import pytest

from harness.contract.explaining import witnesses

MATRIX = json.loads((Path(__file__).parents[3] / "data" / "kill_matrix.json").read_text(encoding="utf-8"))


@pytest.mark.new_rule
def test_witnesses_declare_what_the_kill_matrix_measured():
    declared = {witness.name: witness for witness in witnesses.witnesses()}
    measured = MATRIX["witnesses"]
    assert len(measured) > 300
    assert {name: (declared[name].breaks, {*declared[name].also}) for name in measured} == {
        name: (entry["breaks"], {*entry["also"]}) for name, entry in measured.items()
    }


def test_a_witness_tells_its_defect_and_its_file():
    (found,) = (each for each in witnesses.witnesses() if each.name == "format_peeks_ahead")
    assert found.defect == "Wants both tensors to have the same type already at pos 0, where the output's is undefined."
    assert (found.file, found.breaks) == ("plugin_examples/faulty/formats/format_peeks_ahead.py", "FMT-001")


def test_without_the_examples_there_are_no_witnesses(monkeypatch):
    monkeypatch.setattr(witnesses, "_folder", lambda: None)
    assert witnesses.witnesses() == []
