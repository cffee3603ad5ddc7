"""ITimingCache: the best tactics of layers, kept between builds, and their serialization.

Theory. A timing cache maps a key to the best tactic of a layer and its time. The key is a digest of everything that the
layer's timing depends on. `Timings` is that dictionary, which a builder uses with `key_of`, ``lookup`` and ``store``.
`ITimingCache` is the Python object around it.

The bytes of version 1, with little-endian integers:

* the magic ``TRTRTIMC`` (8 bytes) and the version (uint32)
* the length of the environment (uint32), and the environment in UTF-8: runtime and device
* the number of entries (uint32)
* for each entry, in ascending order of keys: the key (16 bytes), the tactic (uint64), the milliseconds (float32)
* the CRC-32 of all that (uint32)

Timings of another environment are used only if the application says so. Damaged or foreign bytes are refused as a
whole. The number of entries must match the length, so that the result is never larger than the input.
"""

from __future__ import annotations

import hashlib
import math
import re
import struct
import zlib
from typing import Any, Final

from msgspec import Struct, field

from reference_runtime.bound.bound_class import attribute, made, pybind11_object, state
from reference_runtime.bound.conversions import boolean, float32, instance, integer, string
from reference_runtime.bound.overloads import Overload, accessor, bound, bound_function, constructor
from reference_runtime.values.host_memory import IHostMemory, host_memory
from reference_runtime.values.refusals import Reason, Refused

ENVIRONMENT: Final = "reference_runtime 10.16.1.11 on the host device"
"""The environment of the timings of this runtime."""

_MAGIC: Final = b"TRTRTIMC"
_VERSION: Final = 1
_KEY_BYTES: Final = 16
_KEY_CHARACTERS: Final = 2 + 2 * _KEY_BYTES
_HEAD = struct.Struct("<8sII")
_ENTRY = struct.Struct(f"<{_KEY_BYTES}sQf")
_NUMBER = struct.Struct("<I")


class Timing(Struct, frozen=True):
    """The best tactic of a layer, and its time in milliseconds."""

    tactic: int
    milliseconds: float


def key_of(*parts: object) -> bytes:
    """Return the key of a layer that ``parts`` describe; parts with the same ``repr`` give the same key."""
    return hashlib.blake2b(repr(parts).encode(), digest_size=_KEY_BYTES).digest()


class Timings(Struct):
    """The entries of a timing cache, and the environment in which they were measured."""

    entries: dict[bytes, Timing] = field(default_factory=dict)
    environment: str = ENVIRONMENT

    def lookup(self, key: bytes) -> Timing | None:
        """Return the entry of a key, or None."""
        return self.entries.get(key)

    def store(self, key: bytes, timing: Timing) -> None:
        """Set the entry of a key."""
        self.entries[key] = timing

    def to_bytes(self) -> bytes:
        """Return the entries and the environment in the format of the module's docstring."""
        place = self.environment.encode()
        entries = [_ENTRY.pack(key, timing.tactic, timing.milliseconds) for key, timing in sorted(self.entries.items())]
        body = _HEAD.pack(_MAGIC, _VERSION, len(place)) + place + _NUMBER.pack(len(entries)) + b"".join(entries)
        return body + _NUMBER.pack(zlib.crc32(body))

    @classmethod
    def from_bytes(cls, data: bytes) -> Timings:
        """Return the timings in serialized bytes, or no timings for no bytes; raise `Refused` for other bytes."""
        if not data:
            return cls()
        body, checksum = data[: -_NUMBER.size], data[-_NUMBER.size :]
        if len(body) < _HEAD.size or checksum != _NUMBER.pack(zlib.crc32(body)):
            raise _damaged(f"{len(data)} bytes with no valid checksum")
        magic, version, length = _HEAD.unpack_from(body)
        if magic != _MAGIC or version != _VERSION:
            raise _damaged(f"magic {magic!r} and version {version}, not {_MAGIC!r} and {_VERSION}")
        return cls(_entries(body[_HEAD.size + length :]), _text(body[_HEAD.size : _HEAD.size + length]))


def _damaged(what: str) -> Refused:
    return Refused(f"the serialized timing cache cannot be used: it has {what}", Reason.SERIALIZATION)


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeError:
        raise _damaged("an environment that is no UTF-8") from None


def _entries(data: bytes) -> dict[bytes, Timing]:
    if len(data) < _NUMBER.size:
        raise _damaged("no number of entries")
    (count,) = _NUMBER.unpack_from(data)
    if len(data) != _NUMBER.size + count * _ENTRY.size:
        raise _damaged(f"{count} entries announced and {len(data) - _NUMBER.size} bytes of them")
    rows = [_ENTRY.unpack_from(data, _NUMBER.size + place * _ENTRY.size) for place in range(count)]
    keys = [key for key, _, _ in rows]
    if keys != sorted(set(keys)):
        raise _damaged("keys that are not in order")
    return {key: Timing(tactic, milliseconds) for key, tactic, milliseconds in rows}


@bound_function(Overload("(text: str) -> TimingCacheKey", string))
def parse(text: str) -> TimingCacheKey:
    """Return the key of a text of ``0x`` and 32 hexadecimal digits; raise ValueError for another text."""
    data = text.encode()
    if len(data) != _KEY_CHARACTERS:
        raise ValueError(f"The text should have exactly {_KEY_CHARACTERS} characters.")
    if not re.match(rb"0[xX](?![xX])", data):
        raise ValueError("The text should start with prefix `0x` or `0X`.")
    return made(TimingCacheKey, _key=bytes(_scanned(data[place:]) for place in range(2, _KEY_CHARACTERS, 2)))


def _scanned(data: bytes) -> int:
    """Read a byte as TensorRT's ``sscanf("%2hhx")`` does: skip spaces, and accept a sign or a single digit."""
    digits = re.match(rb"[+-]?[0-9a-fA-F]+", data.lstrip()[:2])
    if digits is None:
        raise ValueError("The text has invalid content.")
    return int(digits[0], 16) & 0xFF


class TimingCacheKey(pybind11_object, bound=True):
    """The key of an entry in a timing cache: 16 bytes."""

    parse = staticmethod(parse)

    @bound(Overload("(self: TimingCacheKey) -> str"))
    def __str__(self) -> str:
        """Return the key as a text for ``parse``."""
        return f"0x{_key(self).hex()}"


def _key(key: TimingCacheKey) -> bytes:
    value: bytes = state(key)["_key"]
    return value


def _field(name: str, kind: str, convert: Any) -> attribute:
    return accessor(
        f"(arg0: TimingCacheValue, arg1: {kind}) -> None",
        lambda self: state(self)[name],
        lambda self, value: state(self).update({name: value}),
        convert,
    )


_uint64 = integer(64, signed=False)


class TimingCacheValue(pybind11_object, bound=True):
    """A tactic and its time."""

    @constructor(
        Overload(
            "(self: TimingCacheValue, arg0: typing.SupportsInt, arg1: typing.SupportsFloat) -> None", _uint64, float32
        )
    )
    def __init__(self, tactic: int, milliseconds: float) -> None:
        state(self).update(tacticHash=tactic, timingMSec=milliseconds)

    tacticHash = _field("tacticHash", "typing.SupportsInt", _uint64)  # noqa: N815 - TensorRT's name
    timingMSec = _field("timingMSec", "typing.SupportsFloat", float32)  # noqa: N815 - TensorRT's name


def new_timing_cache(timings: Timings) -> ITimingCache:
    """Return the Python object of a timing cache."""
    return made(ITimingCache, _timings=timings)


def timings_of(cache: ITimingCache) -> Timings:
    """Return the timings behind the Python object."""
    timings: Timings = state(cache)["_timings"]
    return timings


def _cache(value: Any) -> Any:
    return instance(ITimingCache)(value)


_SELF = "(self: ITimingCache"
_KEYED = instance(TimingCacheKey)


class ITimingCache(pybind11_object, bound=True):
    """A cache of a builder's timings; it belongs to no configuration and may be shared."""

    @bound(Overload(f"{_SELF}) -> IHostMemory"))
    def serialize(self) -> IHostMemory:
        """Return the cache as bytes."""
        return host_memory(timings_of(self).to_bytes())

    @bound(Overload(f"{_SELF}, input_cache: ITimingCache, ignore_mismatch: bool) -> bool", _cache, boolean))
    def combine(self, input_cache: ITimingCache, ignore_mismatch: bool) -> bool:  # noqa: FBT001 - TensorRT's signature
        """Add the entries that this cache lacks; False for another environment without ``ignore_mismatch``."""
        own, added = timings_of(self), timings_of(input_cache)
        if added.environment != own.environment and not ignore_mismatch:
            return False
        for key, timing in added.entries.items():
            own.entries.setdefault(key, timing)
        return True

    @bound(Overload(f"{_SELF}) -> bool"))
    def reset(self) -> bool:
        """Remove all entries."""
        timings_of(self).entries.clear()
        return True

    @bound(Overload(f"{_SELF}) -> list[TimingCacheKey]"))
    def queryKeys(self) -> list[TimingCacheKey]:  # noqa: N802 - TensorRT's name
        """Return all keys."""
        return [made(TimingCacheKey, _key=key) for key in sorted(timings_of(self).entries)]

    @bound(Overload(f"{_SELF}, key: TimingCacheKey) -> TimingCacheValue", _KEYED))
    def query(self, key: TimingCacheKey) -> TimingCacheValue:
        """Return the entry of a key; if there is none, a tactic of 0 and a time of NaN."""
        timing = timings_of(self).lookup(_key(key)) or Timing(0, math.nan)
        return TimingCacheValue(timing.tactic, timing.milliseconds)

    @bound(
        Overload(f"{_SELF}, key: TimingCacheKey, value: TimingCacheValue) -> bool", _KEYED, instance(TimingCacheValue))
    )
    def update(self, key: TimingCacheKey, value: TimingCacheValue) -> bool:
        """Replace the entry of a key; NaN as time deletes it. False for an unknown key or a negative time."""
        entries, name = timings_of(self).entries, _key(key)
        if name not in entries:
            return False
        new = Timing(state(value)["tacticHash"], state(value)["timingMSec"])
        if math.isnan(new.milliseconds):
            del entries[name]
        elif new.milliseconds < 0:
            return False
        else:
            entries[name] = new
        return True
