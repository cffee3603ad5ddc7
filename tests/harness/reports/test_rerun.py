"""The command that judges one item again."""

from harness.options import AddressChoice, Options
from harness.reports.rerun import command
from harness.spec import Spec
from harness.tool import Tool

ITEM = "conformance::/Bar/1::rows::FMT-001"


def test_a_run_without_options_is_repeated_by_a_short_command():
    assert command(Options(("bar",)), "bar", ITEM) == f"pytest --plugin-module=bar {ITEM}"


def test_what_a_verdict_depends_on_is_repeated():
    options = Options(
        ("my bar.py",),
        cases=("more.py",),
        setup="bar:register",
        spec=Spec.V11,
        addresses=AddressChoice.HOST,
        seed=7,
        timeout=5.0,
        sanitizer=(Tool.MEMCHECK,),
        select=("FMT",),
    )
    assert command(options, "my bar.py", ITEM).split(" ")[1:] == [
        "'--plugin-module=my",
        "bar.py'",
        "--plugin-cases=more.py",
        "--plugin-setup=bar:register",
        "--plugin-spec=11",
        "--plugin-addresses=host",
        "--plugin-seed=7",
        "--plugin-timeout=5",
        "--plugin-sanitizer=memcheck",
        ITEM,
    ]


def test_an_application_is_named_as_one():
    assert command(Options((), apps=("a:main",)), "a:main", "x") == "pytest --plugin-app=a:main x"
