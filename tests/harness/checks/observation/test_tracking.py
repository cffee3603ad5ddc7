"""Counting what is held, and what grows."""

import ctypes
import gc
import itertools
import os
import sys
import threading
import weakref

import pytest

from harness.checks.observation import tracking
from harness.checks.observation.tracking import growth_since, holdings, is_gone, lasting_growth, unraisable
from reference_runtime.bridges import cupy as cp
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, running


@pytest.fixture(name="subject")
def a_subject():
    subject = running(Creator(lambda _: Doubler()))
    gc.freeze()  # what pytest and other tests hold would have to be looked through for each count
    with use(subject.device):
        yield subject


def test_memory_files_and_threads_are_holdings(subject):
    before = holdings(subject)
    address = cp.cuda.runtime.malloc(64)
    file = os.open(os.devnull, os.O_RDONLY)
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    grown = before.growth(holdings(subject))
    stop.set()
    thread.join()
    os.close(file)
    cp.cuda.runtime.free(address)
    assert grown == ["64 bytes of device memory", "1 open files", "1 threads"]
    assert before.growth(holdings(subject)) == []


def test_memory_of_the_runtime_and_of_a_pool_is_no_holding(subject):
    before = holdings(subject)
    buffer, array = subject.device.allocate(64, label="inputs[0]"), cp.zeros(16)
    assert before.growth(holdings(subject)) == []
    del buffer, array


def test_a_thread_that_is_about_to_end_is_waited_for(subject):
    before = holdings(subject)
    thread = threading.Timer(0.1, lambda: None)
    thread.start()
    assert growth_since(before, subject) == []


def test_an_object_that_a_call_keeps_is_growth(subject):
    kept = []
    assert lasting_growth(subject, lambda: kept.append([]), rounds=2, calls=20) == ["memory of Python objects"]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="sizes say nothing before")
def test_a_reference_that_a_call_keeps_is_growth(subject):
    kept = []
    assert lasting_growth(subject, lambda: kept.append(None), rounds=2, calls=20) == ["memory of Python objects"]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="sizes say nothing before")
def test_a_reference_that_each_of_few_calls_keeps_is_growth_also_beside_more_that_one_call_keeps(subject):
    kept, large, calls = [], [], itertools.count(1)

    def again():
        kept.append(None)
        if next(calls) == 20:
            large.append(bytearray(20_000))

    assert lasting_growth(subject, again, rounds=2, calls=16) == ["memory of Python objects"]


def test_what_only_the_first_calls_keep_is_none(subject):
    cache = {}
    assert lasting_growth(subject, lambda: cache.setdefault(len(cache) % 10, bytearray(100)), rounds=2, calls=20) == []


@pytest.mark.parametrize(("few", "many"), [(20, 144), (200, 200)])
def test_growth_is_confirmed_by_many_calls_in_more_rounds(subject, few, many):
    kept = []
    assert lasting_growth(subject, lambda: kept.append([]), rounds=2, calls=few) == ["memory of Python objects"]
    assert len(kept) == 3 * few + 7 * many


def test_one_round_that_leaves_nothing_behind_is_enough(subject):
    called = [0]

    def again():
        called[0] += 1

    assert lasting_growth(subject, again, rounds=9, calls=100) == []
    assert called == [200]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="sizes say nothing before")
def test_a_cache_that_fills_more_and_more_slowly_is_no_growth(subject):
    cache, calls = [b""], itertools.count(1)

    def again():
        cache[0] = bytes(len(cache[0]) + 20_000 // next(calls))

    assert lasting_growth(subject, again, rounds=2, calls=20) == []


def test_temporary_objects_are_no_growth(subject):
    assert lasting_growth(subject, lambda: [bytearray(1000) for _ in range(10)], rounds=2, calls=20) == []


class Thing:
    """Something with no attributes."""


def test_the_interpreter_forgets_the_names_that_it_keeps_of_lookups():
    """Libraries in C make a new string for each lookup, and Python keeps some of them, more with every call."""
    names, thing = [b"name_%d" % number for number in range(3000)], ctypes.py_object(Thing())
    between = [b""] * len(names)
    tracking._forget_names()
    before = sys.getallocatedblocks()
    for number, name in enumerate(names):
        ctypes.pythonapi.PyObject_HasAttrString(thing, name)
        between[number] = bytes(25)  # as large as the string, which so lies elsewhere each time
    between.clear()
    kept = sys.getallocatedblocks() - before
    tracking._forget_names()
    assert sys.getallocatedblocks() - before < kept - 100, kept


def test_device_memory_and_files_grow_by_their_names(subject):
    opened = []

    def leak():
        cp.cuda.runtime.malloc(8)
        opened.append(os.open(os.devnull, os.O_RDONLY))

    grown = lasting_growth(subject, leak, rounds=2, calls=5)
    for file in opened:
        os.close(file)
    assert grown[:2] == ["bytes of device memory", "open files"]


def test_an_exception_in_a_finaliser_is_put_into_words():
    class Careless:
        def __del__(self):
            raise ValueError("too late")

    with unraisable() as raised:
        Careless()
    assert raised == ["ValueError: too late"]


class Node:
    other = None


def test_an_object_in_a_cycle_is_gone_and_one_that_is_held_is_not():
    node, held = Node(), Node()
    node.other = node
    reference, still = weakref.ref(node), weakref.ref(held)
    del node
    assert is_gone(reference)
    assert not is_gone(still)


def test_an_object_that_a_thread_is_about_to_let_go_is_gone():
    node = Node()
    reference = weakref.ref(node)
    thread = threading.Timer(0.1, id, args=[node])
    thread.start()
    del node, thread
    assert is_gone(reference)
