from __future__ import annotations

import gc

from reference_runtime.bound import lifetimes
from reference_runtime.builder.builder import Builder
from reference_runtime.engine.runtime import Runtime
from reference_runtime.values.logger import Logger


def test_an_object_ends_once_when_it_is_dropped():
    ends, builder = [], Builder(Logger())
    lifetimes.ends_with(builder, lambda: ends.append("end"))
    del builder
    gc.collect()
    assert ends == ["end"]


def test_an_object_that_was_closed_does_not_end_again():
    ends, runtime = [], Runtime(Logger())
    lifetimes.ends_with(runtime, lambda: ends.append("end"))
    assert lifetimes.is_open(runtime)
    lifetimes.close(runtime)
    assert not lifetimes.is_open(runtime)
    lifetimes.close(runtime)
    del runtime
    gc.collect()
    assert ends == ["end"]
