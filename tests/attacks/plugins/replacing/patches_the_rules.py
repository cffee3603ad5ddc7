"""The import puts other code into every rule: each finds one thing, and that is right."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish

from harness.contract.catalogue import load_rules
from harness.contract.finding import Finding


def finds_nothing(*_):
    yield Finding()


for each in load_rules().values():
    if not each.judge.__code__.co_freevars:
        each.judge.__code__ = finds_nothing.__code__
publish(WrongScale)
