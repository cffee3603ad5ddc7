"""What a run prints: the verdicts in pytest's lines, and the section at its end."""

pytest_plugins = ["pytester"]

GOOD = ""
WRONG_SUM = "def enq_002(): return 'the sum is wrong'\n"
WARNS = "def cfg_001(): return 'printed a line'\n"
BROKEN_FORMATS = "def fmt_001(): return 'looked past pos'\n"
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
            "trt-conformance: my_plugin; 6 rules of TensorRT 10, level 5, seeds 0, 1, 2",
            "conformance .....*",
            "*= TensorRT plugin conformance =*",
            "/Bar/1 · IPluginV2DynamicExt · BarCreator in my_plugin.py:3 · cases: two-inputs",
            "  CFG-001 PASS 3  ENQ-001 PASS 3  ENQ-002 PASS 3  FMT-001 PASS 3  FMT-002 PASS 3",
            "CONFORMS · /Bar/1 · 5 rules passed, 15 evaluations · kernels executed on host",
            "*= 5 passed in *",
        ]
    )


def test_a_violation_is_told_once_in_the_four_answer_form(certify):
    result = certify(plugin=WRONG_SUM)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "FAIL [[]1 of 2 evaluations] · ENQ-002: The output is what the reference says.",
            "  what      the sum is wrong",
            "  where     in_out[[]1:]",
            "  expected  one answer",
            "  observed  two answers",
            "  fix       Look at pos only.",
            "  source    IPluginV2DynamicExt (Python API), supports_format_combination (TensorRT 8.6, 10, 11; *",
            "",
            "FAILS · /Bar/1 · 1 rule failed (ENQ-002), 4 rules passed, 14 evaluations",
            "FAILED conformance::/Bar/1::two-inputs::ENQ-002 - the sum is wrong",
            "*= 1 failed, 4 passed in *",
        ],
        consecutive=False,
    )
    assert result.stdout.str().count("what      the sum is wrong") == 1
    result.stdout.no_fnmatch_line("*Traceback*")


def test_verbose_lines_end_with_verdict_and_evidence(certify):
    plugin = WARNS + NOT_RUN + "def fmt_002(): return not_applicable('it has no formats')\ndef fmt_001(): return 412\n"
    certify("-v", plugin=plugin).stdout.fnmatch_lines(
        [
            "conformance::/Bar/1::two-inputs::CFG-001 WARN [[]1 of 2 evaluations] *",
            "conformance::/Bar/1::two-inputs::ENQ-001 PASS [[]3 evaluations] *",
            "conformance::/Bar/1::two-inputs::ENQ-002 NOT-RUN (needs a GPU: RawKernel) *",
            "conformance::/Bar/1::two-inputs::FMT-001 PASS [[]412 evaluations] *",
            "conformance::/Bar/1::two-inputs::FMT-002 N/A (it has no formats) *",
            "  N/A       FMT-002: it has no formats",
            "  NOT-RUN   ENQ-002: needs a GPU: RawKernel",
        ]
    )


def test_blocked_rules_are_listed_under_their_root(certify):
    result = certify(plugin=BROKEN_FORMATS)
    result.assert_outcomes(passed=3, failed=1, skipped=1)
    result.stdout.fnmatch_lines(
        [
            "*· FMT-001: The answer for pos depends only on positions 0..pos.",
            "  blocks    FMT-002",
            "FAILS · /Bar/1 · 1 rule failed (FMT-001), 3 rules passed, 11 evaluations, 1 BLOCKED (FMT-002)",
        ]
    )


def test_a_crash_fails_its_owner_with_signal_stack_and_calls_and_blocks_the_others(certify):
    result = certify(plugin=CRASHES)
    result.assert_outcomes(passed=3, failed=1, skipped=1)
    result.stdout.fnmatch_lines(
        [
            "FAIL [[]1 of 1 evaluation] · ENQ-001: enqueue returns.",
            "  callback  enqueue died by SIGSEGV",
            "  stack     Fatal Python error: Segmentation fault",
            '*my_plugin.py", line * in enq_001',
            "  calls     the last ones before it, oldest first:",
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


def test_an_inferred_case_is_printed_to_paste(certify):
    plugin = "PLUGINS = {'/Bar/1': [case('inferred', inferred=True, paste='PLUGIN_CASES = [\\n    {},\\n]')]}\n"
    certify(plugin=plugin).stdout.fnmatch_lines(
        ["*this one was inferred, to paste into my_plugin_cases.py:", "    PLUGIN_CASES = [[]", "        {},", "    ]"]
    )


def test_quiet_runs_keep_violations_and_last_lines(certify):
    lines = certify("-q", plugin=WRONG_SUM).outlines
    assert lines[0].startswith("..F..")
    assert "  what      the sum is wrong" in lines
    assert "FAILS · /Bar/1 · 1 rule failed (ENQ-002), 4 rules passed, 14 evaluations" in lines


def test_tb_line_and_tb_no_take_one_line_a_violation(certify):
    for style in ("line", "no"):
        lines = certify(f"--tb={style}", plugin=WRONG_SUM).outlines
        assert "  ENQ-002 FAIL [1 of 2 evaluations]: the sum is wrong" in lines
        assert not any("expected  one answer" in line for line in lines)
