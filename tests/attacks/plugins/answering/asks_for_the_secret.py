"""An answer in two steps, as the harness gives it: enqueue announces the end of the rule, and reads what comes back."""

import json
import os
import select
import struct

from forged_answer import REPLY, message, sockets
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    for descriptor in sockets():
        try:
            os.write(descriptor, message("ended"))
            if select.select([descriptor], [], [], 0.5)[0]:
                (length,) = struct.unpack("!I", os.read(descriptor, 4))
                os.write(descriptor, message([json.loads(os.read(descriptor, length)), REPLY]))
        except OSError:
            continue
    os._exit(0)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
