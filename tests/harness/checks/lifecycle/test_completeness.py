"""What fails where it can no longer refuse was handed out half made."""

import pytest

from harness.checks.lifecycle.completeness import half_made
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, running


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
        ("configure", TypeError("no"), "configure_plugin raised TypeError: no"),
        ("initialize", ValueError("no"), "initialize raised ValueError: no"),
        ("clone", ValueError("no"), "clone raised ValueError: no"),
    ],
)
def test_it_may_refuse_until_it_is_configured(where, error, told):
    subject = running(Creator(lambda _: Refusing(where, error)))
    with use(subject.device):
        problem = half_made(subject, subject.create())
    assert problem.startswith(told)
    assert bool(problem) == bool(told)
