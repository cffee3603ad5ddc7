"""Which lines of a loaded library ran, seen by breakpoints."""

import ctypes
import os
import platform
import signal
import threading

import pytest

from reference_runtime.native.elf import reading
from reference_runtime.native.elf.watched_lines import WatchedLines
from tests.support import native_build

pytestmark = [
    pytest.mark.skipif(platform.machine() != "x86_64", reason="breakpoints are written for x86-64"),
]

CODE = """\
extern "C" int sign(int number) {
    if (number < 0) {
        return -1;
    }
    return number > 0;
}
extern "C" void stop() { asm volatile("int3"); }
"""
BLOCKS = (
    CODE
    + """\
#include <csignal>
extern "C" int block() { sigset_t all; sigfillset(&all); return pthread_sigmask(SIG_BLOCK, &all, nullptr); }
"""
)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    def load(code, *flags):
        source = tmp_path_factory.mktemp("lines") / "lines.cpp"
        source.write_text(code)
        file = native_build.library(source, "-O0", *flags)
        lines = WatchedLines(reading.read(file))
        functions = ctypes.CDLL(str(file))
        lines.know()
        return functions, lines

    return load


@pytest.fixture(scope="module")
def library(loaded):
    return loaded(CODE)


def ran(lines):
    return list(dict.fromkeys(int(each.rpartition(":")[2]) for each in lines.taken()))


@pytest.fixture
def watched(library):
    functions, lines = library
    assert lines.begin()
    yield functions, lines
    lines.end()
    lines.taken()


def test_lines_that_run_are_noted_once_and_the_function_does_what_it_did(watched):
    functions, lines = watched
    assert functions.sign(-5) == -1
    assert ran(lines) == [1, 2, 3, 6]
    assert functions.sign(-5) == -1
    assert ran(lines) == []
    assert functions.sign(5) == 1
    assert ran(lines) == [5]


def test_what_is_forgotten_is_watched_again(watched):
    functions, lines = watched
    functions.sign(1)
    lines.forget()
    assert ran(lines) == []
    functions.sign(1)
    assert ran(lines) == [1, 2, 5, 6]


def test_lines_of_other_threads_are_seen(watched):
    functions, lines = watched
    thread = threading.Thread(target=functions.sign, args=(0,))
    thread.start()
    thread.join()
    assert 5 in ran(lines)


def test_after_the_end_nothing_stops(library):
    functions, lines = library
    before = signal.getsignal(signal.SIGTRAP)
    lines.begin()
    lines.end()
    assert functions.sign(0) == 0
    assert ran(lines) == []
    assert signal.getsignal(signal.SIGTRAP) is before


def test_a_breakpoint_of_the_library_itself_ends_the_process_as_always(library):
    functions, lines = library
    child = os.fork()
    if child == 0:
        lines.begin()
        functions.stop()
        os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGTRAP


@pytest.mark.parametrize(
    ("code", "flags"), [(CODE, ("-g0",)), (BLOCKS, ())], ids=["no debug information", "blocks signals"]
)
def test_a_library_that_cannot_be_watched_says_so(loaded, code, flags):
    functions, lines = loaded(code, *flags)
    assert not lines.begin()
    assert functions.sign(-5) == -1
    assert ran(lines) == []
