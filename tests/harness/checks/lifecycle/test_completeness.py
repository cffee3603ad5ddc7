"""What fails where it can no longer refuse was handed out half made."""

import pytest

from harness.cases.case import Case
from harness.checks.lifecycle.completeness import half_made
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, running, subject_of


class Refusing(Doubler):
    """Raises where it is told to."""

    def __init__(self, where, error):
        super().__init__()
        self.where, self.error = where, error

    def _at(self, place):
        if place == self.where:
            raise self.error

    def get_output_dimensions(self, *arguments):
        self._at("shapes")
        return super().get_output_dimensions(*arguments)

    def configure_plugin(self, *_):
        self._at("configure")

    def initialize(self):
        self._at("initialize")

    def clone(self):
        self._at("clone")
        return Refusing(self.where, self.error)


@pytest.mark.parametrize(
    ("where", "error", "told"),
    [
        ("nowhere", ValueError("no"), ""),
        ("shapes", TypeError("no"), ""),
        ("configure", ValueError("no"), ""),
        ("configure", TypeError("no"), ""),
        ("initialize", ValueError("no"), "initialize raised ValueError: no"),
        ("clone", ValueError("no"), "clone raised ValueError: no"),
    ],
)
def test_it_may_refuse_until_it_is_configured(where, error, told):
    subject = running(Creator(lambda _: Refusing(where, error)))
    with use(subject.device):
        problem = half_made(subject, subject.create(), ())
    assert problem.startswith(told)
    assert bool(problem) == bool(told)


class Lacking(Doubler):
    def configure_plugin(self, *_):
        self.table.clear()


def test_what_happens_to_it_when_it_is_configured_is_no_refusal():
    subject = running(Creator(lambda _: Lacking()))
    with use(subject.device):
        assert half_made(subject, subject.create(), ()).startswith("configure_plugin raised AttributeError")


class Joiner(Doubler):
    """Runs on inputs that fit along axis 0, which is its default."""

    def enqueue(self, input_desc, *rest):
        if len({tuple(desc.dims)[1:] for desc in input_desc}) > 1:
            raise TypeError("the inputs do not fit")
        super().enqueue(input_desc, *rest)


@pytest.mark.parametrize(("second", "told"), [((2, 5), ""), ((2, 3, 1), "enqueue raised TypeError: the inputs do not")])
def test_a_default_may_need_other_inputs_than_the_case_has(second, told):
    subject = subject_of(Creator(lambda _: Joiner()), Case(plugin="P", inputs=({"dims": (2, 3)}, {"dims": second})))
    with use(subject.device):
        assert half_made(subject, subject.create(), ()).startswith(told)
