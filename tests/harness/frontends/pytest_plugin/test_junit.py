"""pytest's own JUnit XML has what CI needs, as properties of the suite and of each test case."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import xmlschema

pytest_plugins = ["pytester"]

SCHEMA = Path(__file__).parents[3] / "data" / "schemas" / "junit-10.xsd"
PLUGIN = """
PLUGINS = {'/Bar/1': [case('a')]}
def enq_002(): return 'the sum\\x00\\x1b is wrong'
def fmt_001(): return 'it looked past pos'
def fmt_002(): return 'it took two answers'
def cfg_001(): return 'it printed'
"""


@pytest.fixture(scope="module")
def schema():
    """The schema that pytest means by ``xunit2``."""
    return xmlschema.XMLSchema(str(SCHEMA))


def suite_of(certify, pytester, *arguments, plugin=PLUGIN, **more):
    certify("--junitxml=junit.xml", *arguments, plugin=plugin, **more)
    (suite,) = ET.parse(pytester.path / "junit.xml").getroot()  # noqa: S314 - our own
    return suite


def properties(element):
    return {each.get("name"): each.get("value") for each in element.iterfind("./properties/property")}


def cases(suite):
    return {case.get("name"): properties(case) for case in suite.iterfind("testcase")}


def test_a_test_case_says_what_was_judged_and_the_suite_what_it_takes_to_run_it_again(certify, pytester):
    suite = suite_of(certify, pytester, "--plugin-seed=7")
    told = cases(suite)
    assert told["FMT-001"] == {
        "rule": "FMT-001",
        "plugin": "/Bar/1",
        "case": "a",
        "requirement": "The answer for pos depends only on positions 0..pos.",
        "verdict": "FAIL",
        "evidence": "2",
        "severity": "error",
        "source": "IPluginV2DynamicExt (Python API), supports_format_combination (TensorRT 8.6, 10, 11; documented)",
        "fingerprint": told["FMT-001"]["fingerprint"],
    }
    assert len(told["FMT-001"]["fingerprint"]) == 12
    assert (told["CFG-001"]["verdict"], told["CFG-001"]["severity"]) == ("WARN", "warning")
    assert (told["FMT-002"]["verdict"], told["ENQ-001"]["verdict"]) == ("BLOCKED", "PASS")
    assert "fingerprint" not in told["ENQ-001"]
    told = properties(suite)
    assert told.pop("version.python").startswith("3.")
    assert {name for name in told if name.startswith("version.")} >= {"version.pytest", "version.numpy"}
    assert {name: value for name, value in told.items() if not name.startswith("version.")} == {
        "trt-conformance.status": "complete",
        "trt-conformance.spec": "10",
        "trt-conformance.level": "5",
        "trt-conformance.seeds": "7",
        "trt-conformance.device": "host",
    }


@pytest.mark.nightly
@pytest.mark.nightly
def test_with_workers_it_says_the_same(certify, pytester):
    alone = suite_of(certify, pytester)
    together = suite_of(certify, pytester, "-p", "xdist", "-n", "2")
    assert cases(together) == cases(alone)
    assert properties(together) == properties(alone)


@pytest.mark.parametrize("family", ["xunit1", "xunit2"])
def test_it_keeps_to_the_schema_but_for_properties_of_test_cases(certify, pytester, schema, family):
    """The schema has properties of suites alone; those of test cases are pytest's addition, as its manual says."""
    pytester.makepyfile(dies="import os\nos.abort()")
    suite = suite_of(certify, pytester, "-o", f"junit_family={family}", modules=("my_plugin", "dies"))
    assert {"FAIL", "PASS", "WARN", "BLOCKED"} <= {case["verdict"] for case in cases(suite).values()}
    died = cases(suite)["IMPORT"]
    assert (died["rule"], died["plugin"], died["verdict"]) == ("IMPORT", "dies", "FAIL")
    assert "case" not in died
    assert suite.find("properties") is not None
    for case in suite.iterfind("testcase"):
        case.remove(case.find("properties"))
        if family == "xunit1":  # which has the line to look at besides
            assert case.attrib.pop("file")
            assert int(case.attrib.pop("line")) >= 0
    root = ET.Element("testsuites")
    root.append(suite)
    assert [error.reason for error in schema.iter_errors(root)] == []
