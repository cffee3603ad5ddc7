"""What a run prints: the verdicts in pytest's lines, and the section at its end."""

import os
import re
import sys

import pytest

from harness.frontends.pytest_plugin.terminal import _writable
from harness.reports import story
from tests.support.pseudoterminal import written_by

pytest_plugins = ["pytester"]

#: More ways to ask for the same; each one starts a whole pytest.
BY_NIGHT = pytest.mark.nightly
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

GOOD = ""
MORE = "-v shows each finding in full: code, stack, source, blocked rules and how to expect it"
FURTHER = ["replay", "source", "fingerprint", "to expect"]
WRONG_SUM = "def enq_002(): return 'the sum is wrong'\n"
NOTES = "INTERFACE = 'IPluginV3'\n\n\ndef tac_002(): return 'an odd name'\n"
WARNS = "def cfg_001(): return 'printed a line'\n"
BROKEN_FORMATS = "def fmt_001(): return 'looked past pos'\n\n\ndef fmt_002(): return 'took two answers'\n"
NOT_RUN = "def enq_002(): return not_run('needs a GPU: RawKernel')\n"
CRASHES = """
def enq_001():
    import ctypes
    ctypes.string_at(0)
enq_001.callback = "enqueue"
def enq_002():
    return met("enqueue")
"""


def test_a_good_plugin_conforms(certify):
    result = certify(plugin=GOOD)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "trt-conformance: my_plugin; 7 rules of TensorRT 10, level 5, seeds 0, 1, 2",
            "conformance .....*",
            "*= TensorRT plugin conformance =*",
            "CONFORMS level 5 · /Bar/1 · 5 rules passed, 15 evaluations · kernels executed on host",
            "*= 5 passed in *",
        ]
    )
    section = [line for line in result.outlines if "/Bar/1" in line]
    assert len(section) == 1, "a plugin of which there is nothing to tell has one line"
    result.stdout.no_fnmatch_line("*slowest rules*")


def test_a_violation_is_told_once_in_the_four_answer_form(certify):
    result = certify(plugin=WRONG_SUM)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "FAIL [[]1 of 2 evaluations] · ENQ-002: The output is what the reference says.",
            "  what      the sum is wrong",
            "  at        my_plugin.py:3, in BarCreator",
            "  where     in_out[[]1:]",
            "  expected  one answer",
            "  observed  two answers",
            "  fix       Look at pos only.",
            "  replay    pytest --plugin-module=my_plugin conformance::/Bar/1::two-inputs::ENQ-002",
            "FAILS · /Bar/1 · 1 rule failed (ENQ-002), 4 rules passed, 14 evaluations",
            MORE,
            "FAILED conformance::/Bar/1::two-inputs::ENQ-002 - the sum is wrong",
            "*= 1 failed, 4 passed in *",
        ],
        consecutive=False,
    )
    assert result.stdout.str().count("what      the sum is wrong") == 1
    result.stdout.no_fnmatch_line("*Traceback*")
    for word in FURTHER[1:]:
        result.stdout.no_fnmatch_line(f"  {word} *")


def test_verbose_runs_show_the_plugins_line_with_the_lines_around_it(section):
    lines = section(verbose=1, plugin="# above\nclass BarCreator:\n    pass\n" + WRONG_SUM).lines
    assert "  at        my_plugin.py:3, in BarCreator" in lines
    place = lines.index("  code           2  # above")
    assert lines[place : place + 3] == [
        "  code           2  # above",
        "            >    3  class BarCreator:",
        "                 4      pass",
    ]


def test_verbose_runs_show_source_replay_and_how_to_expect_and_need_no_hint(section):
    lines = section(verbose=1, plugin=WRONG_SUM).lines
    assert [word for word in FURTHER if any(line.startswith(f"  {word} ") for line in lines)] == FURTHER
    assert MORE not in lines


def test_a_good_plugin_and_failures_of_one_line_need_no_hint(section):
    assert MORE not in section(plugin=GOOD).lines
    assert MORE not in section(tbstyle="line", plugin=WRONG_SUM).lines


def test_a_rule_that_warns_has_one_line_for_all_its_findings(section):
    printed = section(plugin=f"PLUGINS = {{'/Bar/1': [case('rows'), case('images')]}}\n{WARNS}")
    assert printed.is_good
    assert "  WARN      CFG-001 (2 findings): printed a line · my_plugin.py:3" in printed.lines
    assert MORE in printed.lines
    printed.no_fnmatch_line("  what *")


def test_a_warning_is_unfolded_by_verbose_runs_and_where_it_fails_the_run(section):
    for printed in (section(verbose=1, plugin=WARNS), section(fail_on="warning", plugin=WARNS)):
        printed.fnmatch_lines(["WARN [[]1 of 2 evaluations] · CFG-001: *", "  what      printed a line"])
        printed.no_fnmatch_line("  WARN      *finding*")


def test_a_note_is_named_in_the_last_line_and_shown_by_verbose_runs_alone(section):
    printed = section(fail_on="warning", plugin=NOTES)
    assert printed.is_good
    printed.fnmatch_lines(["CONFORMS level 5 · /Bar/1 · 6 rules passed, 20 evaluations, 1 NOTE (TAC-002)*"])
    printed.no_fnmatch_line("*an odd name*")
    section(verbose=1, plugin=NOTES).fnmatch_lines(
        ["NOTE [[]1 of 2 evaluations] · TAC-002: *", "  what      an odd name"]
    )


def test_verbose_lines_end_with_verdict_and_evidence(certify):
    why = "it has no formats, and this is said in more words than a line of eighty columns has"
    plugin = WARNS + NOT_RUN + f"def fmt_002(): return not_applicable('{why}')\ndef fmt_001(): return 412\n"
    certify("-v", plugin=plugin).stdout.fnmatch_lines(
        [
            "conformance::/Bar/1::two-inputs::CFG-001 WARN [[]1 of 2 evaluations]*",
            "conformance::/Bar/1::two-inputs::ENQ-001 PASS [[]3 evaluations]*",
            "conformance::/Bar/1::two-inputs::ENQ-002 NOT-RUN (needs a GPU: RawKernel) *",
            "conformance::/Bar/1::two-inputs::FMT-001 PASS [[]412 evaluations]*",
            "conformance::/Bar/1::two-inputs::FMT-002 N/A (it has no formats, and * eighty columns has) *",
            "  N/A       FMT-002: it has no formats, and * eighty columns has",
            "  NOT-RUN   ENQ-002: needs a GPU: RawKernel",
        ]
    )


def test_verbose_runs_list_blocked_rules_under_their_root(section):
    section(plugin=BROKEN_FORMATS).no_fnmatch_line("  blocks *")
    section(verbose=1, plugin=BROKEN_FORMATS).fnmatch_lines(
        [
            "*· FMT-001: The answer for pos depends only on positions 0..pos.",
            "  blocks    FMT-002",
            "FAILS · /Bar/1 · 1 rule failed (FMT-001), 3 rules passed, 11 evaluations, 1 BLOCKED (FMT-002)",
        ]
    )


def test_a_crash_fails_its_owner_with_signal_stack_and_calls_and_blocks_the_others(certify):
    certify(plugin=CRASHES).stdout.fnmatch_lines(["  what      enqueue died by SIGSEGV"])
    result = certify("-v", plugin=CRASHES)
    result.assert_outcomes(passed=3, failed=1, skipped=1)
    result.stdout.fnmatch_lines(
        [
            "FAIL [[]1 of 1 evaluation] · ENQ-001: enqueue returns.",
            "  callback  enqueue died by SIGSEGV",
            "  stack     Fatal Python error: Segmentation fault",
            '*my_plugin.py", line * in enq_001',
            "  calls     the last calls before it, oldest first:",
            "            Bar#1.enqueue(), during execution",
            "  blocks    ENQ-002",
        ]
    )


def test_what_the_plugin_wrote_is_in_the_captured_sections(certify):
    result = certify(plugin="def enq_002(): return noisy()\n")
    result.stdout.fnmatch_lines(
        [
            "*- Captured stdout call -*",
            "printed by the plugin",
            "*- Captured stderr call -*",
            "complained by the plugin",
            "*- Captured log call -*",
            "*logged by the plugin",
            "*- Captured warnings call -*",
            "*UserWarning: warned by the plugin",
        ]
    )
    only_log = certify("--show-capture=log", plugin="def enq_002(): return noisy()\n").stdout
    only_log.fnmatch_lines(["*logged by the plugin"])
    only_log.no_fnmatch_line("printed by the plugin")


def test_output_of_the_plugin_comes_through_without_capture(certify):
    result = certify("-s", plugin="def enq_002():\n    noisy()\n    return 1\n")
    result.stdout.fnmatch_lines(["*printed by the plugin"])


def test_an_inferred_case_is_printed_to_paste(section):
    plugin = "PLUGINS = {'/Bar/1': [case('inferred', inferred=True, paste='PLUGIN_CASES = [\\n    {},\\n]')]}\n"
    section(plugin=plugin).fnmatch_lines(
        ["*this case was inferred, to paste into my_plugin_cases.py:", "    PLUGIN_CASES = [[]", "        {},", "    ]"]
    )


def test_inferred_cases_of_one_module_make_one_list_to_paste(section):
    case = "case('inferred', inferred=True, paste='PLUGIN_CASES = [\\n    {},\\n]')"
    lines = section(plugin=f"PLUGINS = {{'/Bar/1': [{case}], '/Foo/1': [{case}]}}\n").lines
    first, second = (index for index, line in enumerate(lines) if "this case was inferred" in line)
    assert lines[first + 1 : first + 4] == ["    PLUGIN_CASES = [", "        {},", "    ]"]
    assert lines[second].endswith("to paste into the same list of my_plugin_cases.py:")
    assert lines[second + 1 : second + 3] == ["        {},", ""]


def test_what_is_written_again_and_again_is_shown_once(certify):
    plugin = "import sys\ndef enq_002():\n    sys.stderr.write('no such key\\n' * 3)\n    return 'wrong'\n"
    assert certify(plugin=plugin).outlines.count("no such key") == 1
    assert certify("-v", plugin=plugin).outlines.count("no such key") == 3


def test_quiet_runs_keep_violations_and_last_lines(section):
    lines = section(verbose=-1, plugin=WRONG_SUM).lines
    assert "  what      the sum is wrong" in lines
    assert "FAILS · /Bar/1 · 1 rule failed (ENQ-002), 4 rules passed, 14 evaluations" in lines


def test_tb_line_and_tb_no_take_one_line_a_violation(section):
    for style in ("line", "no"):
        lines = section(tbstyle=style, plugin=WRONG_SUM).lines
        assert "  ENQ-002 FAIL [1 of 2 evaluations]: the sum is wrong" in lines
        assert not any("expected  one answer" in line for line in lines)


SEVERAL = """
PLUGINS = {'/Bar/1': [case('rows'), case('images')]}
def enq_002():
    return Answer(Kind.JUDGED, evidence=40, broken=22, violations=tuple(
        Violation(f"row {n} is wrong", f"shapes ({n}, {n})", "a sum", "none", "Add.") for n in (128, 64, 7, 16, 32)))
"""


def test_what_many_cases_and_shapes_show_is_told_once_with_the_smallest_example(section):
    printed = section(plugin=SEVERAL)
    told = [line for line in printed.lines if line.startswith("  what")]
    assert told == ["  what      row 7 is wrong"]
    printed.fnmatch_lines(
        [
            "FAIL [[]44 of 80 evaluations] on rows, images · ENQ-002: *",
            "  at        my_plugin.py:3, in BarCreator",
            "  where     shapes (7, 7)",
            "  fix       Add.",
        ]
    )
    section(verbose=1, plugin=SEVERAL).fnmatch_lines(
        [
            "  replay    pytest --plugin-module=my_plugin * conformance::/Bar/1::rows::ENQ-002",
            "  source    *",
            "  fingerprint *",
            "  to expect in a case: *",
            '            in a file: {"/Bar/1": {"rows": *"images": *',
        ]
    )


def test_runs_with_vv_tell_every_example(section):
    for verbose, count in ((1, 1), (2, 5)):
        printed = section(verbose=verbose, plugin=SEVERAL)
        assert len([line for line in printed.lines if line.startswith("  what")]) == count


def test_verbose_runs_part_the_findings_of_a_rule(section):
    words = [f"Violation('{what} is wrong', 'enqueue', '', '', 'Add.')" for what in ("the sum", "the row")]
    answer = f"Answer(Kind.JUDGED, evidence=2, broken=2, violations=({', '.join(words)}))"
    lines = section(verbose=1, plugin=f"def enq_002():\n    return {answer}\n").lines
    second = lines.index("  what      the row is wrong")
    assert lines[second - 2 : second] == ["  fix       Add.", ""]
    assert lines[second + 1].startswith("  at        ")


def test_messages_of_tensorrts_logger_are_shown_by_verbose_runs_and_our_frames_below_by_more_verbose_ones(certify):
    logged = f"[ERROR] no\\n\\nAt:\\n  /user/plugin.py(3): clone\\n  {story.__file__}(7): work\\n"
    plugin = f"import sys\ndef enq_002():\n    sys.stderr.write('{logged}')\n    return 'wrong'\n"
    result = certify(plugin=plugin).stdout
    result.no_fnmatch_line("*[[]ERROR]*")
    result.no_fnmatch_line("*Captured stderr*")
    for option, shown in (("-v", False), ("-vv", True)):
        lines = certify(option, plugin=plugin).outlines
        assert "[ERROR] no" in lines
        assert "  /user/plugin.py(3): clone" in lines
        assert (f"  {story.__file__}(7): work" in lines) == shown


def test_the_command_that_is_told_judges_the_rule_again(certify):
    told = certify("-v", "--plugin-seed=3", "--plugin-timeout=7", plugin=WRONG_SUM + "def fmt_001(): return 'wrong'\n")
    line = next(line for line in told.outlines if "replay" in line and "ENQ-002" in line)
    command = line.split()[1:]
    assert command[:2] == ["pytest", "--plugin-module=my_plugin"]
    assert command[2:4] == ["--plugin-timeout=7", "--plugin-seed=3"]
    again = certify(*command[2:], plugin=WRONG_SUM)
    again.assert_outcomes(failed=1)


def test_rules_that_fail_for_one_cause_stand_together_and_the_cause_is_told_once(section):
    plugin = (
        "def cfg_001(): return 'lost in row 3'\ndef enq_001(): return 'other'\ndef fmt_002(): return 'lost in row 9'\n"
    )
    printed = section(fail_on="warning", plugin=plugin)
    printed.fnmatch_lines(
        [
            "FAIL * FMT-002: *",
            "  what      lost in row 9",
            "  also      CFG-001: probably the same cause",
            "FAIL * ENQ-001: *",
            "  what      other",
        ]
    )
    assert str(printed).count("  what      lost") == 1


def test_what_did_not_run_is_told_with_its_reason_though_nothing_else_is(section):
    for verbose in (0, -1):
        assert "  NOT-RUN   ENQ-002: needs a GPU: RawKernel" in section(verbose=verbose, plugin=NOT_RUN).lines
    silent = section(plugin="def fmt_002(): return not_applicable('it has no formats')\n")
    assert not any("it has no formats" in line for line in silent.lines)


def test_few_reasons_are_told_and_the_others_counted(section):
    names = ("cfg_001", "enq_001", "enq_002", "fmt_002")
    plugin = "".join(f"def {name}(): return not_run('{name} needs a thing')\n" for name in names)
    told = [line for line in section(plugin=plugin).lines if "needs a thing" in line or "with -v" in line]
    assert len(told) == 4
    assert told[-1].split() == ["FMT-002:", "1", "more", "reason,", "with", "-v"]
    verbose = section(verbose=1, plugin=plugin)
    assert len([line for line in verbose.lines if line.startswith("  NOT-RUN")]) == 4


def test_pytests_list_of_skipped_tests_has_one_line_of_what_does_not_apply(certify, pytester):
    names = ("cfg_001", "enq_001", "fmt_002")
    plugin = "".join(f"def {name}(): return not_applicable('no {name}')\n" for name in names) + NOT_RUN
    result = certify("-ra", "--junitxml=report.xml", plugin=plugin)
    result.assert_outcomes(passed=1, skipped=4)
    skipped = [line for line in result.outlines if line.startswith("SKIPPED")]
    assert sorted(skipped) == [
        "SKIPPED [1] my_plugin.py:3: needs a GPU: RawKernel",
        "SKIPPED [3] my_plugin.py:3: N/A: the rule does not concern the plugin; -v says why",
    ]
    xml = (pytester.path / "report.xml").read_text()
    assert all(f"no {name}" in xml for name in names), "pytest's own XML keeps each reason"


def test_one_line_each_with_qq(section):
    lines = section(verbose=-2, plugin=WRONG_SUM).lines
    assert "  ENQ-002 FAIL [1 of 2 evaluations]: the sum is wrong" in lines
    assert not any("expected  one answer" in line for line in lines)


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("utf-8", "A · π"), ("ascii", "A - \\u03c0"), ("latin-1", "A - \\u03c0"), ("no such thing", "A · π")],
)
def test_a_line_is_shown_in_the_letters_that_there_are(encoding, shown):
    assert _writable("A · π", encoding) == shown


@pytest.mark.real_processes  # Python takes them when it starts
@pytest.mark.parametrize("variable", ["PYTHONIOENCODING=ascii", pytest.param("LC_ALL=C", marks=BY_NIGHT)])
def test_a_terminal_without_our_letters_gets_others(certify, monkeypatch, variable):
    monkeypatch.setenv(*variable.split("="))
    monkeypatch.setenv("PYTHONUTF8", "0")
    monkeypatch.setenv("PYTHONCOERCECLOCALE", "0")
    result = certify(plugin=WRONG_SUM)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAIL [[]1 of 2 evaluations] - ENQ-002: *", "FAILS - /Bar/1 - 1 rule failed*"])
    assert result.stdout.str().isascii()
    result.stderr.no_fnmatch_line("*UnicodeEncodeError*")


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        pytest.param([], {}, False, marks=BY_NIGHT),
        pytest.param(["--color=yes"], {}, True, marks=BY_NIGHT),
        ([], {"FORCE_COLOR": "1"}, True),
        (["--color=no"], {"FORCE_COLOR": "1"}, False),
        pytest.param([], {"NO_COLOR": "1"}, False, marks=BY_NIGHT),
        pytest.param(["-v"], {"COLUMNS": "40"}, False, marks=BY_NIGHT),
        pytest.param(["-qq"], {"CI": "true"}, False, marks=BY_NIGHT),
        pytest.param(["-s"], {"TERM": "dumb"}, False, marks=BY_NIGHT),
        pytest.param(["-p", "xdist", "-n", "1", "-vv"], {}, False, marks=BY_NIGHT),
    ],
)
def test_a_pipe_gets_colours_when_they_are_asked_for_and_no_control_characters(
    certify, monkeypatch, arguments, environment, coloured
):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    result = certify(*arguments, plugin=WRONG_SUM)
    written = result.stdout.str()
    assert result.ret == 1
    assert bool(COLOUR.search(written)) == coloured
    assert not CONTROL.search(COLOUR.sub("", written))
    assert "FAILS · /Bar/1 · 1 rule failed (ENQ-002), 4 rules passed, 14 evaluations" in COLOUR.sub("", written)


def on_a_terminal(command, folder, **environment):
    """Run a command in a pseudoterminal; return all that was written there."""
    clean = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    return written_by(command, folder, {**clean, **environment})


#: A conftest by which what is waited for is shown at once, and not by a thread when it takes long.
AT_ONCE = """
import threading
from types import SimpleNamespace
from harness.frontends.pytest_plugin import waiting

class AtOnce:
    def __init__(self, target, args, daemon):
        self._line, self._forms, _ = args

    def start(self):
        self._line.put([f"{form}: 0 s" for form in self._forms])

    def join(self):
        pass

waiting.threading = SimpleNamespace(Thread=AtOnce, Event=threading.Event)
"""


@pytest.mark.usefixtures("certify")  # it sets the environment up
@pytest.mark.parametrize(
    ("arguments", "environment", "moves", "coloured"),
    [
        ([], {"TERM": "xterm"}, True, True),
        pytest.param(["-v", "--color=no"], {"TERM": "xterm", "COLUMNS": "40"}, True, False, marks=BY_NIGHT),
        pytest.param([], {"TERM": "xterm", "NO_COLOR": "1"}, True, False, marks=BY_NIGHT),
        pytest.param(["-s"], {"TERM": "no-such-terminal"}, True, True, marks=BY_NIGHT),
        ([], {"TERM": "dumb"}, False, False),
        pytest.param(["-q"], {"TERM": "xterm"}, False, True, marks=BY_NIGHT),
        pytest.param([], {"TERM": "xterm", "CI": "true"}, False, True, marks=BY_NIGHT),
    ],
)
def test_a_terminal_shows_what_is_waited_for_and_nothing_of_it_is_left(
    pytester, arguments, environment, moves, coloured
):
    pytester.makepyfile(my_plugin="from stub_contract import *\n")
    (pytester.path / "conftest.py").write_text(AT_ONCE)
    options = ["-p", "pytest_trt_conformance", "-p", "stub_certification", "--plugin-module=my_plugin"]
    command = [sys.executable, "-m", "pytest", *options, *arguments]
    written = on_a_terminal(command, pytester.path, **environment)
    assert ("\b" in written) == moves
    assert bool(COLOUR.search(written)) == coloured
    plain = COLOUR.sub("", written)
    if moves and "COLUMNS" not in environment:
        assert "importing my_plugin: 0 s" in plain
        assert "ENQ-002 of /Bar/1: 0 s" in plain
    seen = [screen(line) for line in plain.replace("\r", "").split("\n")]
    assert not [line for line in seen if re.search(r" \d+ s\b", line)]
    assert "CONFORMS level 5 · /Bar/1 · 5 rules passed, 15 evaluations · kernels executed on host" in seen
    assert not CONTROL.search("".join(seen))


def screen(written):
    """Return what is seen of a line, which backspaces lead back in."""
    cells, place = [], 0
    for letter in written:
        if letter == "\b":
            place -= 1
        else:
            cells[place : place + 1] = [letter]
            place += 1
    return "".join(cells).rstrip()


@pytest.mark.parametrize(
    "workers", [[], pytest.param(["-p", "xdist", "-n", "1"], marks=pytest.mark.nightly)], ids=["alone", "xdist"]
)
def test_the_slowest_rules_are_told_on_request_by_what_they_took_themselves(certify, workers):
    lines = certify("--durations=2", "--durations-min=0", *workers).outlines
    first = next(number for number, line in enumerate(lines) if "slowest rules" in line) + 1
    told = [re.fullmatch(r" +(\d+\.\d\d) s  conformance::/Bar/1::two-inputs::\w+-\d+", line) for line in lines[first:]]
    assert [bool(each) for each in told[:3]] == [True, True, False]
    assert float(told[0][1]) >= float(told[1][1])
