"""A word names one process, for as long as it runs, and says nothing of processes elsewhere."""

import os

import pytest

from harness.process import owners


def test_a_process_that_runs_is_not_gone():
    assert owners.WORD.fullmatch(owners.this_process())
    assert not owners.is_gone(owners.this_process())


def word_of_a_child():
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.write(writing, owners.this_process().encode())
        os._exit(0)
    word = os.read(reading, 100).decode()
    os.close(reading)
    os.close(writing)
    return pid, word


def test_a_process_is_gone_when_it_ended_reaped_or_not():
    pid, word = word_of_a_child()
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert owners.is_gone(word)
    os.waitpid(pid, 0)
    assert owners.is_gone(word)
    assert word != owners.this_process()


def test_another_process_of_the_same_number_is_another_one():
    number, start, place = owners.this_process().split("-")
    assert owners.is_gone(f"{number}-{int(start) - 1}-{place}")


@pytest.mark.parametrize("word", ["", "1", "1-2", "1-2-3-4", "x-1-abcdef"])
def test_of_what_is_no_word_nothing_is_known(word):
    assert not owners.is_gone(word)


def test_of_a_process_of_another_place_nothing_is_known():
    number, start, place = owners.this_process().split("-")
    other = "000000" if place != "000000" else "111111"
    assert not owners.is_gone(f"{number}-{int(start) - 1}-{other}")
