"""A failure is judged again by the command that was printed for it."""

import fnmatch
import json
import shlex
import sys
from pathlib import Path

import pytest

from harness.controller.fuzz.saved_examples import SavedExample, file_of
from harness.controller.replay import command as command_of
from harness.controller.replay import parts_of
from harness.frontends.cli import main as command
from harness.protocol.messages import ChildSettings, Request

HOME = Path(__file__).parents[3]
PLANTED = str(Path(__file__).parents[2] / "support" / "stubs" / "planted.py")
ID = "conformance::/Raises/1::wide::FUZ-003"
FAILING, SOUND = '{"shapes":[[5,3,7]]}', '{"shapes":[[5,3,8]]}'


@pytest.fixture
def replay(capsys):
    def run(*words):
        status = command.main(["replay", *words])
        return status, capsys.readouterr().out.splitlines()

    return run


def test_what_fails_still_fails(replay):
    status, lines = replay(ID, "--module", PLANTED, "--example", FAILING)
    assert status == 1
    assert lines[0] == f"STILL FAILS  {ID}"
    assert "  what      enqueue raised ValueError: no 7" in lines


def test_a_crash_still_fails(replay):
    status, lines = replay(ID.replace("Raises", "Segfaults"), "--module", PLANTED, "--example", FAILING)
    assert (status, lines[2]) == (1, "  what      enqueue died by SIGSEGV")


def test_what_holds_is_fixed(replay):
    assert replay(ID, "--module", PLANTED, "--example", SOUND) == (0, [f"FIXED  {ID}", "FUZ-003 holds: 2 evaluations"])


def test_several_examples_are_judged_one_after_the_other(replay):
    status, lines = replay(ID, "--module", PLANTED, "--example", SOUND, "--example", FAILING)
    assert (status, lines[2]) == (1, "  what      enqueue raised ValueError: no 7")


def test_a_rule_without_examples_is_judged_again_too(replay):
    assert replay(ID.replace("FUZ-003", "SHP-003"), "--module", PLANTED)[0] == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((ID, "--module", PLANTED), "FUZ-003 is judged on an example: *"),
        ((ID, "--module", PLANTED, "--example", '{"shapes": [[5, 3, 700]]}'), "the case does not allow *"),
        ((ID, "--module", "no_such_module", "--example", FAILING), "no_such_module cannot be imported: *"),
        ((ID.replace("wide", "narrow"), "--module", PLANTED, "--example", FAILING), "* has no case 'narrow' *"),
        ((ID.replace("FUZ-003", "FUZ-999"), "--module", PLANTED, "--example", FAILING), "there is no rule FUZ-999"),
        ((ID, "--cache", "nowhere"), "no failing example of it is saved *"),
        (
            ("conformance::m:main::run::CTX-007", "--module", "m"),
            "CTX-007 is judged by running the application: run pytest --plugin-app=m:main again",
        ),
    ],
)
def test_what_cannot_be_judged_says_why(replay, words, reason):
    status, lines = replay(*words)
    assert (status, lines[0]) == (2, f"CANNOT RUN  {words[0]}")
    assert fnmatch.fnmatch(lines[1], reason), lines[1]


def test_the_example_comes_from_pytests_cache(replay, tmp_path, monkeypatch):
    request = Request("FUZ-003", "/Raises/1", "wide", examples=[json.loads(FAILING)])
    file = file_of(tmp_path / ".pytest_cache", request)
    file.parent.mkdir(parents=True)
    child = ChildSettings(PLANTED, path=tuple(sys.path))
    file.write_text(json.dumps(SavedExample(child, request).to_plain()))
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert replay(ID)[0] == 1
    file.write_text("no JSON")
    assert replay(ID)[0] == 2


def test_a_program_is_replayed(replay):
    place = "conformance::/Scale/1::dynamic::FUZ-009"
    words = ("--module", "plugin_examples.faulty.fuzzing.slots_for_two_contexts", "--example")
    program = {
        "schedule": 0,
        "shapes": [[[0, 3, 1]], [[0, 3, 1]], [[1, 3, 2]]],
        "program": [["network"], ["build", 0], ["deserialize", 0], *([["context", 0, 0]] * 3), ["run", 2, 2]],
    }
    assert replay(place, *words, json.dumps(program))[0] == 1
    shorter = {**program, "program": program["program"][:-1]}
    assert replay(place, *words, json.dumps(shorter))[0] == 0
    illegal = {**program, "program": [["build", 0]]}
    status, lines = replay(place, *words, json.dumps(illegal))
    assert (status, "does not exist any more" in lines[1]) == (2, True)


def test_the_example_comes_from_a_file(replay, tmp_path):
    (tmp_path / "example.json").write_text(FAILING)
    assert replay(ID, "--module", PLANTED, "--example", f"@{tmp_path / 'example.json'}")[0] == 1


@pytest.mark.parametrize("words", [("FUZ-003",), (ID, "--example", "{"), (ID, "--example", "@nowhere")])
def test_what_makes_no_sense_is_a_usage_error(words, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["replay", *words])
    assert ended.value.code == 4
    assert "error: " in capsys.readouterr().err


def test_the_command_says_what_is_not_the_default():
    plain = SavedExample(ChildSettings("bar"), Request("FUZ-003", "/Bar/1", "rows", examples=[[1, 2]]))
    assert command_of(ID, plain, is_saved=True) == f"trt-conformance replay {ID} --module bar --example '[1,2]'"
    child = ChildSettings("bar", cases=("more.py",), setup="bar:register", spec="11", addresses="host")
    full = SavedExample(child, Request("FUZ-003", "/Bar/1", "rows", seed=7, level=10, examples=[[1]]))
    assert shlex.split(command_of(ID, full, is_saved=False))[3:] == [
        *("--module", "bar", "--cases", "more.py", "--setup", "bar:register", "--level", "10"),
        *("--spec", "11", "--addresses", "host", "--seed", "7", "--example", "[1]"),
    ]


def test_a_long_example_is_left_to_the_cache():
    record = SavedExample(ChildSettings("bar"), Request("FUZ-003", "/Bar/1", "rows", examples=[list(range(500))]))
    assert command_of(ID, record, is_saved=True) == f"trt-conformance replay {ID}"
    assert "499" in command_of(ID, record, is_saved=False)


def test_an_id_names_plugin_case_and_rule():
    assert parts_of("conformance::ns/Bar/1+my_module::rows::FUZ-001") == ("ns/Bar/1", "rows", "FUZ-001")


@pytest.mark.parametrize(
    ("module", "place", "example", "told"),
    [
        (
            PLANTED,
            "/Raises/1::wide::FUZ-004",
            '{"shapes":[[1,3,2]]}',
            "this is no example of FUZ-004, or *: KeyError: *",
        ),
        (PLANTED, "/Raises/1::wide::FUZ-003", "[]", "this is no example of FUZ-003, or *"),
        (PLANTED, "/Raises/1::wide::ENQ-010", '{"shapes":[[1,3,2]]}', "ENQ-010 is not judged on examples: leave *"),
        (
            "plugin_examples.circ_pad",
            "/CircPad/1::both-sides::FUZ-012",
            '{"edits":[]}',
            "no edit: *do not matter here",
        ),
        (
            "plugin_examples.circ_pad",
            "/CircPad/1::both-sides::FUZ-007",
            '{"collections":[[{"edit":"left out","field":"zz"}]]}',
            "the case has no field 'zz'",
        ),
        ("plugin_examples.circ_pad", "/CircPad/1::both-sides::FUZ-008", '{"copies":[[]]}', "the rule did not judge"),
        (
            "plugin_examples.circ_pad",
            "/CircPad/1::both-sides::FUZ-009",
            '{"schedule":0,"shapes":[],"program":[]}',
            "the program has no steps",
        ),
    ],
)
def test_what_is_no_example_cannot_run_and_shows_no_traceback(replay, module, place, example, told):
    status, lines = replay(f"conformance::{place}", "--module", module, "--example", example)
    assert (status, len(lines)) == (2, 2)
    assert fnmatch.fnmatch(lines[1], told), lines[1]
