import math
import random
import re
import zlib

import pytest

import reference_runtime as trt
from reference_runtime.plan.timing_cache import Timing, Timings, key_of, new_timing_cache, timings_of
from reference_runtime.values.refusals import Refused

KEY = key_of("layer", (1, 2))
OTHER = key_of("layer", (1, 3))
TEXT = f"0x{KEY.hex()}"


@pytest.fixture
def cache():
    return new_timing_cache(Timings({KEY: Timing(7, 0.5)}))


def parse(text):
    return trt.TimingCacheKey.parse(text)


def test_equal_descriptions_have_equal_keys():
    assert key_of("layer", (1, 2)) == KEY
    assert len({KEY, OTHER, key_of("layer", [1, 2])}) == 3


def test_what_is_stored_is_found():
    timings = Timings()
    assert timings.lookup(KEY) is None
    timings.store(KEY, Timing(7, 0.5))
    assert timings.lookup(KEY) == Timing(7, 0.5)


def test_bytes_bring_everything_back():
    timings = Timings({OTHER: Timing(2**64 - 1, 1.25), KEY: Timing(0, 0.0)}, environment="déjà")
    assert Timings.from_bytes(timings.to_bytes()) == timings


def test_bytes_do_not_depend_on_the_order_of_storing():
    entries = {KEY: Timing(1, 1.0), OTHER: Timing(2, 2.0)}
    assert Timings(entries).to_bytes() == Timings(dict(reversed(entries.items()))).to_bytes()


def test_no_bytes_are_an_empty_cache():
    assert Timings.from_bytes(b"") == Timings()


def test_any_damage_is_refused():
    data = Timings({KEY: Timing(7, 0.5), OTHER: Timing(8, 1.5)}).to_bytes()
    chance = random.Random(0)  # noqa: S311 - no secret
    for _ in range(2000):
        broken = bytearray(data[: chance.randrange(1, len(data) + 1)])
        broken[chance.randrange(len(broken))] ^= chance.randrange(1, 256)
        with pytest.raises(Refused, match="the serialized timing cache cannot be used"):
            Timings.from_bytes(bytes(broken))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ((0, b"XXXXXXXX"), "magic b'XXXXXXXX' and version 1"),
        ((8, b"\2\0\0\0"), "version 2"),
        ((12, b"\xff\xff\xff\xff"), "no number of entries"),
        ((16, b"\xff"), "an environment that is no UTF-8"),
        ((17, b"\xff\xff\xff\xff"), "4294967295 entries announced and 56 bytes of them"),
        ((21, b"\xff" * 16), "keys that are not in order"),
    ],
)
def test_damage_that_keeps_the_checksum_is_refused_by_name(change, what):
    data = bytearray(Timings({KEY: Timing(7, 0.5), OTHER: Timing(8, 1.5)}, environment="x").to_bytes())
    place, new = change
    data[place : place + len(new)] = new
    data[-4:] = _crc(data[:-4])
    with pytest.raises(Refused, match=re.escape(what)):
        Timings.from_bytes(bytes(data))


def _crc(data):
    return zlib.crc32(data).to_bytes(4, "little")


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("0x" + "0" * 32, "00" * 16),
        ("0X" + "aB" * 16, "ab" * 16),
        ("0x" + "0" * 31 + "g", "00" * 16),
        ("0x" + " 1" * 16, "01" * 16),
        ("0x" + "+1" * 16, "01" * 16),
        ("0x" + "-1" * 16, "ff" * 16),
        ("0x1g" + "0" * 30, "01" + "00" * 15),
        ("0x0x" + "0" * 30, "00" * 16),
        (b"0x" + b"0" * 32, "00" * 16),
    ],
)
def test_keys_are_read_as_measured(text, parsed):
    assert str(parse(text)) == f"0x{parsed}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0" * 34, "The text should start with prefix `0x` or `0X`."),
        ("1x" + "0" * 32, "The text should start with prefix `0x` or `0X`."),
        ("0xx" + "0" * 31, "The text should start with prefix `0x` or `0X`."),
        ("0x" + "0" * 31, "The text should have exactly 34 characters."),
        ("0x" + "g" * 32, "The text has invalid content."),
        ("0x" + "0" * 30 + "é", "The text has invalid content."),
    ],
)
def test_other_texts_are_no_keys(text, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        parse(text)


def test_keys_have_no_constructor_and_are_equal_to_themselves_alone():
    with pytest.raises(TypeError, match="TimingCacheKey: No constructor defined!"):
        trt.TimingCacheKey()
    assert parse(TEXT) != parse(TEXT)


def test_a_value_has_a_tactic_and_a_time_of_32_bits():
    value = trt.TimingCacheValue(3, 0.5)
    assert (value.tacticHash, value.timingMSec) == (3, 0.5)
    value.tacticHash, value.timingMSec = 2**64 - 1, 0.1
    assert (value.tacticHash, value.timingMSec) == (2**64 - 1, 0.10000000149011612)


@pytest.mark.parametrize("arguments", [(-1, 0.5), (2**64, 0.5), (1,), (1, "x")])
def test_other_values_are_refused(arguments):
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        trt.TimingCacheValue(*arguments)


def test_a_cache_is_queried_by_key(cache):
    assert [str(key) for key in cache.queryKeys()] == [TEXT]
    value = cache.query(parse(TEXT))
    assert (value.tacticHash, value.timingMSec) == (7, 0.5)
    unknown = cache.query(parse("0x" + "0" * 32))
    assert unknown.tacticHash == 0
    assert math.isnan(unknown.timingMSec)


def test_a_known_entry_can_be_updated_or_deleted(cache):
    key, unknown = parse(TEXT), parse("0x" + "0" * 32)
    assert cache.update(unknown, trt.TimingCacheValue(1, 1.0)) is False
    assert cache.update(key, trt.TimingCacheValue(9, -1.0)) is False
    assert cache.update(key, trt.TimingCacheValue(9, 2.0)) is True
    assert timings_of(cache).lookup(KEY) == Timing(9, 2.0)
    assert cache.update(key, trt.TimingCacheValue(0, math.nan)) is True
    assert cache.queryKeys() == []


def test_caches_are_combined_without_overwriting(cache):
    other = new_timing_cache(Timings({KEY: Timing(1, 9.0), OTHER: Timing(2, 2.0)}))
    assert cache.combine(other, ignore_mismatch=False) is True
    assert timings_of(cache).entries == {KEY: Timing(7, 0.5), OTHER: Timing(2, 2.0)}


def test_a_cache_of_another_environment_is_combined_on_request_only(cache):
    foreign = new_timing_cache(Timings({OTHER: Timing(2, 2.0)}, environment="elsewhere"))
    assert cache.combine(foreign, ignore_mismatch=False) is False
    assert OTHER not in timings_of(cache).entries
    assert cache.combine(foreign, ignore_mismatch=True) is True
    assert OTHER in timings_of(cache).entries


def test_a_cache_can_be_serialized_and_emptied(cache):
    data = cache.serialize()
    assert isinstance(data, trt.IHostMemory)
    assert cache.reset() is True
    assert cache.queryKeys() == []
    assert Timings.from_bytes(bytes(data)).entries == {KEY: Timing(7, 0.5)}
