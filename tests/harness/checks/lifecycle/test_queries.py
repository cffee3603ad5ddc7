"""The queries that may come from any thread."""

import pytest

from harness.cases.case import Case, Input
from harness.checks.lifecycle.queries import two_ways_of_asking
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, subject_of


@pytest.fixture(name="asked")
def two_ways():
    case = Case(plugin="P", inputs=(Input(dims=("N", 3), min=(1, 3), opt=(2, 3), max=(4, 3)),))
    subject = subject_of(Creator(lambda _: Doubler()), case)
    with use(subject.device):
        yield two_ways_of_asking(subject, subject.create())


def test_every_kind_of_query_is_asked_in_both_ways(asked):
    for queries in asked:
        kinds = {name.split("(")[0].split(" ")[0] for name in queries}
        assert kinds == {"serialize", "get_output_datatype", "get_output_dimensions", "supports_format_combination"}


def test_the_ways_differ_where_they_can(asked):
    usual, other = asked
    assert {"get_output_dimensions of output 0 with inputs [[-1, 3]]"} <= set(usual)
    assert {"get_output_dimensions of output 0 with inputs [[2, 3]]"} <= set(other)
    formats = [{name for name in queries if name.startswith("supports_format")} for queries in asked]
    assert not formats[0] & formats[1]


def test_a_query_answers_the_same_each_time(asked):
    for query in (*asked[0].values(), *asked[1].values()):
        assert query() == query()
