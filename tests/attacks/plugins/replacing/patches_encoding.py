"""What writes an answer as JSON, below the function that calls it: it leaves out what is wrong."""

import json

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish

usual = json.JSONEncoder.iterencode


def mended(self, value, _one_shot=None):
    if isinstance(value, dict) and "broken" in (value.get("value") or {}):
        value = {**value, "value": {**value["value"], "violations": [], "broken": 0}}
    return usual(self, value, _one_shot)


def attack():
    json.JSONEncoder.iterencode = mended


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
