"""The main job, end to end with the real rules: what a user types, and what comes of it."""

import itertools
import textwrap
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

HOME = Path(__file__).parents[3]
USER_PLUGIN = """
    from plugin_examples.faulty.bases.sound_scale import Scale, ScaleCreator

    class Mine(Scale):
        pass

    class MineCreator(ScaleCreator):
        plugin_class = Mine

    import tensorrt as trt
    trt.get_plugin_registry().register_creator(MineCreator(), "")
"""


@pytest.fixture
def certify(certify_as_a_user):
    """Run pytest as a user would, and return (result, JSON report or None)."""
    return certify_as_a_user


def verdicts(report):
    return {
        (plugin["key"], plugin["case"], rule["id"]): (rule["verdict"], rule["evidence"])
        for plugin in report["plugins"]
        for rule in plugin["rules"]
    }


@pytest.mark.nightly
def test_a_sound_example_passes_every_rule_that_applies(certify):
    result, report = certify("--plugin-module=plugin_examples.bar")
    assert result.ret == 0
    found = verdicts(report)
    assert {verdict for verdict, _ in found.values()} == {"PASS", "N/A"}
    assert all(evidence > 0 for verdict, evidence in found.values() if verdict == "PASS")
    result.stdout.fnmatch_lines(["CONFORMS * /Bar/1 * rules passed, * evaluations*"])


def test_a_witness_fails_by_its_rule_alone_and_says_why(certify):
    result, report = certify("--plugin-module=plugin_examples.faulty.formats.format_peeks_ahead", "--plugin-level=1")
    assert result.ret == 1
    assert [key[2] for key, (verdict, _) in verdicts(report).items() if verdict == "FAIL"] == ["FMT-001"]
    result.stdout.fnmatch_lines(
        [
            "FAIL * FMT-001: The answer of supports_format_combination for pos depends only on positions 0..pos.",
            "  what      supports_format_combination looked past pos=0",
            "  at        *format_peeks_ahead.py:*, in supports_format_combination",
            "  where     in_out[[]1:], asked pos=0 *",
            "  expected  *",
            "  observed  *",
            "  fix       Decide from in_out[[]0] to in_out[[]pos] only.",
            "  replay    *",
            "FAILS * /Scale/1 *",
        ]
    )


def test_a_users_file_without_cases_is_probed_and_the_case_can_be_pasted(certify, pytester):
    pytester.makepyfile(my_plugin=textwrap.dedent(USER_PLUGIN))
    few = ("--plugin-module=my_plugin", "--plugin-select=ID,FMT,CFG")
    result, report = certify(*few)
    assert result.ret == 0
    assert {verdict for verdict, _ in verdicts(report).values()} <= {"PASS", "N/A", "NOT-RUN"}
    shown = result.stdout.str()
    lines = shown.split("to paste into my_plugin_cases.py:\n")[1].splitlines()
    pasted = textwrap.dedent("\n".join(itertools.takewhile(lambda line: not line or line.startswith("    "), lines)))
    (pytester.path / "my_plugin_cases.py").write_text(pasted)
    result, again = certify(*few)
    assert result.ret == 0
    assert "was inferred" not in result.stdout.str()
    assert verdicts(again) == verdicts(report)


@pytest.mark.nightly
def test_verdicts_do_not_depend_on_how_pytest_is_run(certify):
    module = "--plugin-module=plugin_examples.faulty.execution.output_overrun"
    _, plain = certify(module)
    _, other = certify("-n", "2", "-p", "randomly", "-p", "no:cacheprovider", module, python=("-O",))
    assert verdicts(other) == verdicts(plain)


def test_a_module_that_dies_at_import_is_one_failure_and_the_others_go_on(certify, pytester):
    pytester.makepyfile(dead="import os; os.abort()", my_plugin=textwrap.dedent(USER_PLUGIN))
    result, report = certify("--plugin-module=dead", "--plugin-module=my_plugin", "--plugin-select=FMT")
    assert result.ret == 1
    assert [module["verdict"] for module in report["modules"]] == ["FAIL"]
    result.stdout.fnmatch_lines(["*conformance::dead::IMPORT*"])
    result.stdout.fnmatch_lines(["*SIGABRT*"])
    assert {verdict for verdict, _ in verdicts(report).values()} <= {"PASS", "N/A", "NOT-RUN"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plugin-module=textwrap"], "*holds no plugin*"),
        (["--plugin-module=plugin_examples.bar", "--plugin-cases=nowhere.py"], "*nowhere.py*does not exist*"),
    ],
)
def test_what_makes_no_sense_is_one_line_and_exit_4(certify, arguments, message):
    result, _ = certify(*arguments)
    assert result.ret == 4
    result.stderr.fnmatch_lines([message])


def test_a_case_of_which_no_shape_can_be_tried_is_exit_4(certify, pytester):
    pytester.makepyfile(my_plugin=textwrap.dedent(USER_PLUGIN))
    pytester.makepyfile(
        my_plugin_cases="""
        import numpy as np
        FIELDS = {"factor": np.array([2.0], np.float32)}
        INPUT = {"min": (1, 3), "max": (4, 3)}
        PLUGIN_CASES = [{"plugin": "Scale", "fields": FIELDS, "inputs": [INPUT], "valid": lambda *_, **__: False}]
        """
    )
    result, _ = certify("--plugin-module=my_plugin")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*no shape of the case's profile is valid*fix its valid or its profile*"])


def test_a_file_of_cases_may_serve_several_modules(certify, pytester):
    pytester.makepyfile(one=textwrap.dedent(USER_PLUGIN))
    pytester.makepyfile(
        shared_cases="""
        import numpy as np
        CASE = {"name": "a", "fields": {"factor": np.array([2.0], np.float32)}, "inputs": [{"dims": (2, 3)}]}
        PLUGIN_CASES = [{"plugin": "Scale", **CASE}, {"plugin": "Bar", **CASE, "fields": {}, "inputs": [
            {"dims": (2, 3)}, {"dims": (1, 3)}]}]
        """
    )
    modules = ("--plugin-module=one", "--plugin-module=plugin_examples.bar", "--plugin-select=ID-001")
    result, report = certify(*modules, "--plugin-cases=shared_cases.py")
    assert result.ret == 0
    assert {(plugin["key"], plugin["case"]) for plugin in report["plugins"]} == {
        ("/Scale/1", "a"),
        ("/Bar/1", "a"),
        ("/Bar/1", "rows"),
        ("/Bar/1", "images"),
    }
    result, _ = certify("--plugin-module=one", "--plugin-select=ID-001", "--plugin-cases=shared_cases.py")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*case 'a' (shared_cases.py:3) is for /Bar/1, which is not there; found: /Scale/1*"])


def test_a_file_of_cases_that_is_picked_up_by_itself_may_be_named(certify, pytester):
    pytester.makepyfile(one=textwrap.dedent(USER_PLUGIN))
    pytester.makepyfile(
        one_cases="""
        import numpy as np
        FIELDS = {"factor": np.array([2.0], np.float32)}
        PLUGIN_CASES = [{"plugin": "Scale", "name": "a", "fields": FIELDS, "inputs": [{"dims": (2, 3)}]}]
        """
    )
    options = [f"--plugin-cases={named}" for named in ("one_cases", "one_cases.py", "./one_cases.py")]
    result, report = certify("--plugin-module=one", "--plugin-select=ID-001", *options)
    assert result.ret == 0
    assert [plugin["case"] for plugin in report["plugins"]] == ["a"]


CASE = "PLUGIN_CASES = [{'plugin': 'Scale', 'fields': {%r: [2.0]}, 'inputs': [{'dims': (2, 3)}], 'reference': %s}]"


def test_a_reference_that_raises_is_never_green(certify, pytester):
    pytester.makepyfile(
        my_plugin=textwrap.dedent(USER_PLUGIN), my_plugin_cases=CASE % ("factor", "lambda x, fields: 1 / 0")
    )
    result, _ = certify("--plugin-module=my_plugin", "--plugin-select=ENQ-010")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: case * the case's reference raised ZeroDivisionError: *my_plugin_cases.py:1*"])


def test_a_reference_that_raises_for_some_shapes_is_never_green(certify, pytester):
    reference = "lambda x, fields: x * fields['factor'] if x.shape[0] > 1 else 1 / 0"
    case = CASE.replace("'dims': (2, 3)", "'dims': ('n', 3), 'min': (1, 3), 'opt': (2, 3), 'max': (3, 3)")
    pytester.makepyfile(my_plugin=textwrap.dedent(USER_PLUGIN), my_plugin_cases=case % ("factor", reference))
    result, report = certify("--plugin-module=my_plugin", "--plugin-select=SHP-008")
    assert result.ret == 1
    (violation,) = report["plugins"][0]["rules"][0]["violations"]
    assert "the case's reference raised ZeroDivisionError" in violation["what"]
    assert "my_plugin_cases.py" in str(violation)


def test_a_misspelt_field_is_one_line_and_exit_4(certify, pytester):
    pytester.makepyfile(my_plugin=textwrap.dedent(USER_PLUGIN), my_plugin_cases=CASE % ("facto", "None"))
    result, _ = certify("--plugin-module=my_plugin")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*the creator has no field 'facto' (did you mean 'factor'?)*"])


def test_cases_beside_a_module_of_a_package_are_found(certify, pytester):
    package = pytester.path / "ops"
    package.mkdir()
    (package / "__init__.py").write_text("from ops import scale")
    (package / "scale.py").write_text(textwrap.dedent(USER_PLUGIN))
    (package / "scale_cases.py").write_text(CASE % ("factor", "None"))
    result, report = certify("--plugin-module=ops", "--plugin-select=ID-001")
    assert result.ret == 0
    assert [plugin["case"] for plugin in report["plugins"]] == ["default"]


ORDER_SENSITIVE = """
from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

PLUGIN_CASES = SCALE_CASES

class WantsExactBounds(Scale):
    in_profile = False

    def configure_plugin(self, inputs, outputs):
        ends = tuple(inputs[0].min), tuple(inputs[0].max)
        self.in_profile = ends[0] != ends[1] and -1 not in tuple(inputs[0].desc.dims)

    def clone(self):
        other = super().clone()
        other.in_profile = self.in_profile
        return other

    def enqueue(self, *arguments):
        if self.in_profile:
            raise RuntimeError("which shape?")
        super().enqueue(*arguments)

publish(WantsExactBounds)
"""


def test_what_only_some_order_of_calls_shows_fails_with_its_seeds(certify, pytester):
    pytester.makepyfile(my_plugin=ORDER_SENSITIVE)
    module = "--plugin-module=my_plugin"
    result, report = certify(module, "--plugin-select=DST-007")
    assert result.ret == 1
    ((entry,),) = [plugin["rules"] for plugin in report["plugins"]]
    assert (entry["verdict"], entry["order_sensitive"]) == ("FAIL", True)
    assert entry["reason"].startswith("order-sensitive: NOT-RUN with seed 0, PASS with seed 1, NOT-RUN with seed 2")
    assert certify(module, "--plugin-select=DST-007", "--plugin-seed=1")[0].ret == 0


REFUSING_PLUGIN = """
    import tensorrt as trt
    from plugin_examples.faulty.bases.sound_scale import Scale, ScaleCreator, publish

    class Mine(Scale):
        def configure_plugin(self, *_):
            raise ValueError("only on Tuesdays")

        def clone(self):
            return self

    publish(Mine, ScaleCreator)
"""


def test_without_any_case_a_plugin_is_judged_by_the_rules_that_need_none(certify, pytester):
    pytester.makepyfile(mine=REFUSING_PLUGIN)
    result, report = certify("--plugin-module=mine", "--plugin-level=1")
    assert result.ret == 1
    found = verdicts(report)
    assert found["/Scale/1", "inferred", "CLN-001"][0] == "FAIL"
    assert found["/Scale/1", "inferred", "CRE-001"][0] == "PASS"
    assert found["/Scale/1", "inferred", "CFG-005"][0] == "NOT-RUN"
    result.stdout.fnmatch_lines(
        [
            "INCOMPLETE · CASE: *",
            "  what      no case gives *: only on Tuesdays (mine.py:6)",
            "  missing * they need a case; *",
            "  fix       Fill in the case below, *",
            "  to have all rules judged, fill in this case in mine_cases.py:",
            "*'dims': (...)*",
        ]
    )


def test_without_any_case_the_rules_that_need_none_are_judged_behind_a_defect_of_the_creator(certify, pytester):
    publish = "publish(Mine, ScaleCreator)"
    assert publish in REFUSING_PLUGIN
    creator = """
    class Creator(ScaleCreator):
        def create_plugin(self, name, fields):
            if type(fields[0].data).__module__ == "numpy":  # as NumPy 2.4, whichever is installed
                raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
            return Mine(float(fields[0].data))

    publish(Mine, Creator)
"""
    pytester.makepyfile(mine=REFUSING_PLUGIN.replace(publish, creator.strip()))
    result, report = certify("--plugin-module=mine", "--plugin-select=PFD-007,CLN-001,CRE-001,CFG-005,ID-001")
    assert result.ret == 1
    found = {rule: verdict for (_, _, rule), (verdict, *_) in verdicts(report).items()}
    assert found == {"PFD-007": "FAIL", "CLN-001": "BLOCKED", "CRE-001": "PASS", "CFG-005": "NOT-RUN", "ID-001": "PASS"}


@pytest.mark.nightly
def test_a_plugin_without_a_case_is_incomplete_even_if_nothing_fails(certify, pytester):
    sound = REFUSING_PLUGIN.partition("        def clone")
    pytester.makepyfile(mine=f"{sound[0]}\n    publish(Mine, ScaleCreator)\n")
    result, _ = certify("--plugin-module=mine", "--plugin-level=1")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["INCOMPLETE · CASE: *", "INCOMPLETE · /Scale/1 · * rules not judged"])
