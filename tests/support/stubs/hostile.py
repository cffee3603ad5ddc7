"""A user's module each of whose functions does one thing to its process that no plugin should do."""

import contextlib
import ctypes
import faulthandler
import functools
import io
import logging
import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import ClassVar

import numpy as np

from harness.contract.verdict import Answer, Kind

FOREVER = 3600
#: The niceness that the process has before any test.
NICE = os.nice(0)


def harmless():
    return "fine"


def find_something():
    return Answer(Kind.JUDGED, evidence=1, broken=1)


def process_id():
    return os.getpid()


class Kept:
    """What the functions below leave behind, in as many ways as Python has."""

    number = 0
    table: ClassVar = {}
    array = np.zeros(4)
    generator = random.Random(0)  # noqa: S311 - no secret


@functools.lru_cache
def memo(number):
    return number


def counter():
    count = 0

    def next_one():
        nonlocal count
        count += 1
        return count

    return next_one


next_one = counter()


def set_a_name():
    globals()["left_behind"] = 1


def set_a_class_attribute():
    Kept.number += 1


def fill_a_cache():
    Kept.table["key"] = [1]


def fill_a_memo():
    memo(1)


def write_into_an_array():
    Kept.array[2] = 1


def change_what_a_closure_holds():
    next_one()


def draw_a_number():
    Kept.generator.random()


def patch_a_library():
    np.allclose = lambda *_, **__: True


def change_the_environment():
    os.environ["LEFT_BEHIND"] = "1"


def leave_a_thread():
    threading.Thread(target=time.sleep, args=(FOREVER,), daemon=True).start()


def leave_a_file_open():
    os.open(os.devnull, os.O_RDONLY)


def leave_a_process():
    subprocess.Popen(["sleep", str(FOREVER)])  # noqa: S603, S607 - as a plugin might


def traces():
    return [name for name in ("left_behind",) if name in globals()] + list(Kept.table)


def leave_what_nobody_sees():
    return os.nice(1)


def find_what_nobody_sees():
    return "sound" if os.nice(0) == NICE else Answer(Kind.JUDGED, evidence=1, broken=1)


def segfault():
    ctypes.string_at(0)


def abort():
    os.abort()


def exit_zero():
    os._exit(0)


def kill_itself():
    os.kill(os.getpid(), signal.SIGKILL)


def kill_its_parent():
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(FOREVER)


def hang_in_python():
    while True:
        pass


def hang_in_c():
    ctypes.PyDLL(None).sleep(FOREVER)  # PyDLL: with the interpreter's lock held


def stop_itself():
    os.kill(os.getpid(), signal.SIGSTOP)


def raise_system_exit():
    raise SystemExit(3)


def raise_keyboard_interrupt():
    raise KeyboardInterrupt


def recurse():
    recurse()


def eat_memory():
    return [bytearray(2**24) for _ in range(2**20)]


def raise_what_cannot_be_told():
    class Broken(BaseException):
        def __str__(self):
            raise LookupError("no text")

    raise Broken


def write_to_our_descriptors():
    for descriptor in range(3, 2**10):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"garbage that is no message")


def rule_that_fails():
    raise ZeroDivisionError("ours")


def rule_that_segfaults():
    ctypes.string_at(0)


def rule_that_exits():
    sys.exit("enough")


def close_standard_streams():
    for descriptor in (0, 1, 2):
        os.close(descriptor)
    return "closed"


def close_below_100():
    os.closerange(0, 100)
    return "closed"


def close_everything():
    os.closerange(0, 2**16)


def replace_stdout():
    sys.stdout = sys.stderr = io.StringIO()
    print("into the void")  # noqa: T201
    return "replaced"


def leave_thread():
    threading.Thread(target=time.sleep, args=(FOREVER,)).start()
    return "left"


def leave_grandchild():
    return subprocess.Popen(["sleep", str(FOREVER)]).pid  # noqa: S603, S607 - what a plugin may do


def leave_daemon():
    return subprocess.Popen(["sleep", str(FOREVER)], start_new_session=True).pid  # noqa: S603, S607 - what a plugin may do


def leave_copy_that_holds_everything():
    copy = os.fork()
    if not copy:
        time.sleep(FOREVER)
    return copy


def return_twice():
    os.fork()
    return "returned"


def die_while_a_copy_holds_everything():
    if os.fork():
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(FOREVER)


def change_directory():
    os.chdir("/")
    return str(Path.cwd())


def directory():
    return str(Path.cwd())


def patch_numpy():
    np.zeros = None
    return "patched"


def numpy_zeros():
    return float(np.zeros(1)[0])


def handle_signals_itself():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGABRT, signal.SIGSEGV, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    hang_in_python()


def block_signals():
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    hang_in_python()


def own_faulthandler_then_segfault():
    faulthandler.enable()
    ctypes.string_at(0)


def own_handler_for_segfault():
    signal.signal(signal.SIGSEGV, lambda *_: None)
    ctypes.string_at(0)


def speak():
    print("printed π")  # noqa: T201
    sys.stderr.write("complained\n")
    ctypes.CDLL(None).puts(b"from C")
    logging.getLogger("my.plugin").warning("logged %d", 7)
    warnings.warn("take care", stacklevel=1)
    return "spoken"


def speak_and_segfault():
    speak()
    ctypes.string_at(0)


def shout():
    for number in range(2**17):
        print(number)  # noqa: T201
    return "hoarse"


def draw():
    return random.random(), float(np.random.random())  # noqa: NPY002, S311 - what a plugin may do


def order_of_a_set():
    return list({str(number) for number in range(20)}), sys.flags.optimize


def stop_for_debugger():
    breakpoint()  # noqa: T100
