"""What is collected, under which ids, and how it is selected."""

import pytest

pytest_plugins = ["pytester"]

TWO_PLUGINS = "PLUGINS = ['/Bar/1', '/Foo/2']\n"


def test_only_conformance_items_are_collected_without_a_path(certify, pytester):
    pytester.makepyfile(test_own="def test_own(): pass")
    result = certify("--collect-only", "-q")
    assert result.ret == 0
    assert result.outlines[:5] == [
        "conformance::/Bar/1::two-inputs::CFG-001",
        "conformance::/Bar/1::two-inputs::ENQ-001",
        "conformance::/Bar/1::two-inputs::ENQ-002",
        "conformance::/Bar/1::two-inputs::FMT-001",
        "conformance::/Bar/1::two-inputs::FMT-002",
    ]
    result.stdout.no_fnmatch_line("*test_own*")
    result.stdout.no_fnmatch_line("*CONFORMS*")


def test_conformance_items_are_added_to_a_path(certify, pytester):
    pytester.makepyfile(test_own="def test_own(): pass")
    certify("test_own.py").assert_outcomes(passed=6)


def test_a_module_in_the_ini_file_leaves_the_projects_own_tests_in_the_run(certify, pytester):
    pytester.makepyfile(test_own="def test_own(): pass")
    pytester.makeini("[pytest]\nplugin_module = my_plugin\n")
    certify(modules=()).assert_outcomes(passed=6)


def test_a_module_in_the_environment_is_certified(certify, monkeypatch):
    monkeypatch.setenv("TRT_CONFORMANCE_MODULE", "my_plugin")
    certify(modules=()).assert_outcomes(passed=5)


@pytest.mark.parametrize(
    ("typed", "passed"),
    [
        ("conformance::/Bar/1::two-inputs::FMT-002", 1),
        ("../conformance::/Bar/1::two-inputs::FMT-002", 1),
        ("conformance::/Bar/1::two-inputs::FMT-002@/Bar/1", 1),
        ("conformance::/Foo/2", 5),
    ],
)
def test_printed_ids_can_be_typed_back(certify, typed, passed):
    certify(typed, plugin=TWO_PLUGINS).assert_outcomes(passed=passed)


def test_a_mistyped_id_is_a_usage_error_with_a_suggestion(certify):
    result = certify("conformance::/Bar/1::two-input")
    assert result.ret == 4
    assert "\n".join(result.errlines) == (
        "ERROR: not found: conformance::/Bar/1::two-input: no plugin, case or rule here has this id "
        "(did you mean 'conformance::/Bar/1::two-inputs'?)\n"
    )


def test_two_modules_with_the_same_plugin_get_distinct_ids(certify, pytester):
    pytester.makepyfile(other="from stub_contract import *")
    result = certify("--collect-only", "-q", modules=("my_plugin", "other"))
    assert "conformance::/Bar/1+my_plugin::two-inputs::CFG-001" in result.outlines
    assert "conformance::/Bar/1+other::two-inputs::CFG-001" in result.outlines


def test_verbose_listing_tells_the_requirements(certify):
    certify("--collect-only", "-v").stdout.fnmatch_lines(["*<RuleItem FMT-002>", "*The same question gets the same*"])
