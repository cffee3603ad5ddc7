"""The functions that answers travel through: JSON that leaves out what is wrong."""

import json
import os

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish

dumps, write = json.dumps, os.write


def mended(value, **options):
    text = dumps(value, **options)
    if '"broken"' not in text:
        return text
    answer = {**value["value"], "violations": [], "broken": 0, "kind": "judged", "mishap": None}
    return dumps({**value, "value": answer}, **options)


def attack():
    json.dumps = mended


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
