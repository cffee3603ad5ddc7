"""The examples in C++, compiled here, break no rule, at any API level that they are for; near misses neither."""

import re
import shutil

import pytest

from harness.contract import catalogue
from harness.contract.language import CPP
from harness.contract.verdict import Verdict
from tests.support import native_build
from tests.support.verdicts import broken_rules, in_words, results_of

QUICK = [rule.id for rule in catalogue.load().rules.values() if rule.level == 1]
#: Rules of higher levels that were wrong about plugins in C++ once, and those about C++ alone.
BESIDE = ["CLN-009", "DST-008", *(rule.id for rule in catalogue.load().rules.values() if rule.languages == CPP)]
BUILDS = [
    ("bar", "10"),
    *(pytest.param(*each, marks=pytest.mark.nightly) for each in (("bar", "8.6"), ("bar", "11"), ("leaky_relu", "10"))),
    pytest.param("leaky_relu", "11", marks=pytest.mark.nightly),
]

NEAR_MISSES = {
    source: re.search(r"^// LOOKS_LIKE ([A-Z]+-\d+)$", source.read_text(), re.MULTILINE)[1]
    for source in sorted((native_build.EXAMPLES.parent / "near_misses" / "native").glob("*.cpp"))
}


def judged(name, spec, rules):
    library = native_build.library(native_build.EXAMPLES / f"{name}.cpp", epoch=spec.partition(".")[0])
    return results_of(str(library), rules=rules, spec=spec, addresses="host")


def passed_rules(results):
    return {each.rule for case in results.values() for each in case if each.verdict is Verdict.PASS}


@pytest.mark.parametrize(("name", "spec"), BUILDS)
def test_an_example_in_cpp_breaks_nothing(name, spec):
    results = judged(name, spec, [*QUICK, *BESIDE])
    beside = {each.rule: each.reason for case in results.values() for each in case}
    assert "about plugins in Python" in beside["ID-010"]  # it would hold without having been judged
    assert len(passed_rules(results)) > 40
    assert not broken_rules(results), in_words(results, broken_rules(results))


@pytest.mark.nightly
@pytest.mark.parametrize(("source", "rule"), NEAR_MISSES.items(), ids=[source.stem for source in NEAR_MISSES])
def test_a_near_miss_in_cpp_breaks_nothing(source, rule):
    results = results_of(str(native_build.library(source)), rules=[*QUICK, *BESIDE], addresses="host")
    assert not broken_rules(results), in_words(results, broken_rules(results))
    assert rule in passed_rules(results)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["bar", "leaky_relu"])
def test_an_example_in_cpp_breaks_nothing_where_questions_are_drawn_either(name):
    results = judged(name, "10", None)
    assert not broken_rules(results), in_words(results, broken_rules(results))


@pytest.mark.nightly
def test_a_plugin_that_prepares_itself_when_it_is_attached_and_configured_runs(tmp_path):
    source, text = tmp_path / "bar.cpp", (native_build.EXAMPLES / "bar.cpp").read_text()
    attaching = (
        "void attachToContext(cudnnContext*, cublasContext*, IGpuAllocator*) noexcept override {\n"
        "    mIsAttached = true;\n}\n"
        "void detachFromContext() noexcept override { mIsAttached = mIsReady = false; }\n"
        "bool mIsAttached{false}, mIsReady{false};\n"
    )
    for begin, more in (
        ("    void configurePlugin(", attaching),
        ("        size_t const first = bytesOf(inputs[0]);", "if (!mIsReady) { return 1; }\n"),
    ):
        assert begin in text
        text = text.replace(begin, f"{more}{begin}", 1)
    text, count = re.subn(
        r"(void configurePlugin\([^)]*\)\s*noexcept override) \{\}", r"\1 { mIsReady = mIsAttached; }", text
    )
    assert count == 1
    source.write_text(text)
    shutil.copy(native_build.EXAMPLES / "bar_cases.py", tmp_path)
    rules = ["ENQ-010", "CFG-004", "INI-002", "INI-003", "CLN-003"]
    results = results_of(str(native_build.library(source)), rules=rules, addresses="host")
    assert {each.verdict for case in results.values() for each in case} == {Verdict.PASS}
