"""The stubs of a new rule: where they go, what is in them, and what is refused."""

import ast
import os
import shutil
import subprocess
import sys

import pytest

from tools import new_rule
from tools.new_rule import NewRuleError, written

PARTS = (new_rule.RULES.parent, new_rule.FAULTY, new_rule.CONTRACT)


@pytest.fixture
def copy(tmp_path):
    for part in PARTS:
        source, target = new_rule.ROOT / part, tmp_path / part
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    return tmp_path


def last_id(family):
    modules = new_rule.all_rules(new_rule.ROOT)
    return max(place.decorator.args[0].value for each in modules.values() for place in each if place.family == family)


def constants(file):
    nodes = [node for node in ast.parse(file.read_text()).body if isinstance(node, ast.Assign)]
    return {node.targets[0].id: node.value for node in nodes}


def test_a_rule_has_a_source_a_function_and_a_witness(copy):
    said = written("WSP", "workspace_in_bits", copy)
    rule = said.partition(".")[0]
    assert int(rule[-3:]) == int(last_id("WSP")[-3:]) + 1
    assert "WORKSPACE_IN_BITS" in constants(copy / "conformance/sources/plugins.py")
    witness = copy / "plugin_examples/faulty/workspace/workspace_in_bits.py"
    assert ast.literal_eval(constants(witness)["BREAKS"]) == rule
    assert new_rule.rules_in(copy / "conformance/rules/workspace.py")[-1].decorator.args[0].value == rule
    assert "class WorkspaceInBits(Scale):" in witness.read_text()


def test_the_module_with_the_stub_is_loaded(copy):
    written("workspace", "workspace_in_bits", copy)
    command = [sys.executable, "-c", "from conformance.rules.workspace import no_workspace_in_bits as r; print(r.id)"]
    done = subprocess.run(  # noqa: S603 - our own interpreter
        command, cwd=copy, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": f"{copy}:{new_rule.ROOT}"},
    )  # fmt: skip
    assert (done.returncode, done.stdout[:4]) == (0, "WSP-"), done.stderr


def test_a_second_rule_gets_the_next_id(copy):
    first, second = (written("WSP", defect, copy).partition(".")[0] for defect in ("one_fault", "other_fault"))
    assert int(second[-3:]) == int(first[-3:]) + 1


def test_ids_of_rules_that_are_not_implemented_are_not_free():
    modules = {"workspace": new_rule.rules_in(new_rule.ROOT / "conformance/rules/workspace.py")}
    assert new_rule.next_id("WSP", modules, {"WSP-041": "reserved", "TAC-077": ""}) == "WSP-042"


def test_the_witness_of_a_rule_about_applications_is_a_program(copy):
    written("OA", "allocator_forgotten", copy)
    witness = copy / "plugin_examples/faulty/output_allocators/allocator_forgotten.py"
    assert "PLUGIN_APPS" in constants(witness)
    assert "ALLOCATOR_FORGOTTEN" in constants(copy / "conformance/sources/applications.py")


def test_a_fuzz_rule_has_the_strategy_and_the_arguments_that_others_have(copy):
    written("fuzzing.shapes", "odd_extents", copy)
    *others, stub = new_rule.rules_in(copy / "conformance/rules/fuzzing/shapes.py")
    assert stub.facts["strategy"] in {other.facts["strategy"] for other in others}
    assert [each.arg for each in stub.before.args.args] == ["subject", "example"]


@pytest.mark.parametrize("family", ["workspace", "fuzzing.shapes", "shapes", "states", "registry_lookups", "V2L"])
def test_a_family_is_named_by_its_letters_or_its_module(family):
    assert new_rule.place_of(family, new_rule.all_rules(new_rule.ROOT))


@pytest.mark.parametrize(
    ("family", "defect", "why"),
    [
        ("XYZ", "a_fault", "there is no family 'XYZ'; there are ALI, "),
        ("CTX", "a_fault", "CTX has several modules; name one: applications.contexts, applications.contexts_memory"),
        ("WSP", "InBits", "'InBits' is no name of a module"),
        ("WSP", "in-bits", "'in-bits' is no name of a module"),
        ("WSP", "workspace_in_floats", "the name is taken: plugin_examples/faulty/workspace/workspace_in_floats.py"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(copy, family, defect, why):
    before = {file: file.read_bytes() for file in copy.rglob("*.py")}
    with pytest.raises(NewRuleError, match="^" + why):
        written(family, defect, copy)
    assert {file: file.read_bytes() for file in copy.rglob("*.py")} == before


def test_the_command_says_why_it_refuses(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["new_rule.py", "XYZ", "a_fault"])
    with pytest.raises(SystemExit, match="2"):
        new_rule.main()
    assert "error: there is no family 'XYZ'" in capsys.readouterr().err
