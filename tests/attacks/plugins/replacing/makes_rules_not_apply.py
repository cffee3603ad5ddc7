"""The import has each rule concern no interface."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish

from harness.contract import catalogue

for each in catalogue.load_rules().values():
    object.__setattr__(each, "interfaces", frozenset())
publish(WrongScale)
