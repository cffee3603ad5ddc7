"""The command that judges one thing again has every option that changes what is judged, and no other."""

import dataclasses

from harness.config.options import AddressChoice, Options
from harness.contract.api_level import ApiLevel
from harness.contract.sanitizer_tool import Tool
from harness.contract.thoroughness import Thoroughness
from harness.reports import html, markdown
from harness.reports.again import again, given_of

NODE = "conformance::/Bar/1::rows::FMT-001"
USUAL = Options(("bar",))


def of(options, nodeid=NODE, given=""):
    return again(options.to_plain(), nodeid, given)


def test_a_run_without_options_is_repeated_by_a_short_command():
    assert of(USUAL) == f"pytest --plugin-module=bar {NODE}"
    assert (
        of(dataclasses.replace(USUAL, level=Thoroughness.SMOKE))
        == f"pytest --plugin-module=bar --plugin-level=1 {NODE}"
    )


def test_what_a_verdict_depends_on_is_repeated():
    options = Options(
        ("my bar.py",),
        cases=("more.py",),
        onnx_dims=("N=1:2:4",),
        setup="bar:register",
        spec=ApiLevel.V11,
        level=Thoroughness.SMOKE,
        addresses=AddressChoice.HOST,
        fuzz_examples=9,
        seed=7,
        timeout=5.0,
        sanitizer=(Tool.MEMCHECK,),
        select=("FMT",),
    )
    assert of(options, "conformance::x").split(" ")[1:] == [
        "'--plugin-module=my",
        "bar.py'",
        "--plugin-cases=more.py",
        "--plugin-setup=bar:register",
        "--plugin-onnx-dims=N=1:2:4",
        "--plugin-level=1",
        "--plugin-spec=11",
        "--plugin-addresses=host",
        "--plugin-timeout=5",
        "--plugin-seed=7",
        "--plugin-fuzz-examples=9",
        "--plugin-sanitizer=memcheck",
        "conformance::x",
    ]


def test_an_application_is_named_as_one():
    assert of(Options(("bar",), apps=("a:main",)), "x", "a:main") == "pytest --plugin-app=a:main x"


def test_other_modules_are_left_out_unless_the_id_would_be_another_without_them():
    two = Options(("bar", "foo"))
    assert of(two, given="bar") == f"pytest --plugin-module=bar {NODE}"
    twin = "conformance::/Bar/1+bar::rows::FMT-001"
    assert of(two, twin, "bar") == f"pytest --plugin-module=bar --plugin-module=foo {twin}"


def test_a_part_of_the_examples_is_judged_with_all_of_them():
    assert of(USUAL, f"{NODE}[1/2]") == f"pytest --plugin-module=bar {NODE}"


def test_no_command_line_can_name_cases_that_a_caller_made(make):
    assert of(dataclasses.replace(USUAL, packed_cases="gAN9")) == ""
    document = make.usual()
    document["options"]["cases"] = ["(in memory)"]
    assert "pytest --plugin" not in markdown.render(document)
    assert "See it again" not in html.render(document)


def test_a_document_tells_how_the_module_was_named(make):
    sources = [{"module": "bar", "given": "src/bar.py"}, {"module": "foo", "given": "foo"}]
    assert given_of(make.document(make.plugin(), sources=sources), NODE) == "src/bar.py"
    assert given_of(make.document(make.plugin()), NODE) == ""
    twice = [{"module": "bar", "given": given} for given in ("a/bar.py", "b/bar.py")]
    assert given_of(make.document(make.plugin(), sources=twice), NODE) == ""
