"""A stored run: the file that pytest-benchmark wrote of latencies of ours, checked before anything is compared.

What a run says of a quantity is stored as a reading, a form that a later run can be compared with.
"""

from __future__ import annotations

import dataclasses
import json
import math
import statistics
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from harness.contract.codec import Record
from harness.process.machine import differences
from harness.protocol.latency_estimates import interval_of_median
from harness.protocol.latency_quantity import Quantity

if TYPE_CHECKING:
    from pathlib import Path

    from harness.protocol.latency_samples import Sampled
    from harness.results.run_plan import ItemId

#: What the machine's identity is called in the file, and the reading of a quantity.
IDENTITY: Final = "trt_conformance"
READING: Final = "reading"
_AGAIN: Final = "store it anew with --plugin-benchmark --benchmark-json=FILE"
#: The quantities that a net one is the rest of.
_WHOLE: Final = {
    Quantity.HOST_ENQUEUE_NET: Quantity.HOST_ENQUEUE,
    Quantity.DEVICE_HOT_NET: Quantity.DEVICE_HOT,
    Quantity.DEVICE_COLD_NET: Quantity.DEVICE_COLD,
}
#: The name of the fact that holds the calibration: the same measurement of a callback that does nothing.
_CALIBRATION: Final = {
    Quantity.DEVICE_HOT: "launch",
    Quantity.DEVICE_HOT_NET: "launch",
    Quantity.DEVICE_COLD: "cold_launch",
    Quantity.DEVICE_COLD_NET: "cold_launch",
}
_EMPTY_PLUGIN: Final = "empty_plugin"


class StoredRunError(Exception):
    """The file cannot be compared with; the argument says why, and what to do."""


@dataclasses.dataclass(frozen=True)
class Reading(Record):
    """One quantity of one case in one run; all times in seconds.

    Attributes:
        low: Lower bound of the median, of 99 %.
        median: The median.
        high: Its upper bound.
        whole: The median of the quantity as a whole, where this is what is left of it net.
        calibration: The median of an empty plugin or kernel, taken in turn with it; 0 where none was.
        shapes: The shapes of the case.
        method: How it was measured.
    """

    low: float
    median: float
    high: float
    whole: float
    calibration: float
    shapes: list[list[int]]
    method: str

    @classmethod
    def of(cls, quantity: Quantity, measured: Sampled) -> Reading:
        """Return what was measured."""
        whole = _WHOLE.get(quantity, quantity)
        low, median, high = interval_of_median(measured.series[quantity.value])
        return cls(
            low=low,
            median=median,
            high=high,
            whole=statistics.median(measured.series[whole.value]),
            calibration=float(measured.facts.get(_CALIBRATION.get(quantity, _EMPTY_PLUGIN), 0.0)),
            shapes=measured.facts.get("shapes", []),
            method=measured.methods.get(whole.value, "").partition(" ")[0],
        )

    @classmethod
    def from_plain(cls, data: Any) -> Reading:
        """Return the reading that :meth:`to_plain` described.

        Raises:
            ValueError: It is none; the argument names the field.
        """
        found: dict[str, Any] = data if isinstance(data, dict) else {}
        for name in ("low", "median", "high", "whole", "calibration"):
            value = found.get(name)
            if not isinstance(value, (int, float)) or not math.isfinite(value):
                raise ValueError(f"{name}: expected a number of seconds, found {value!r}")
        if type(found.get("shapes")) is not list or type(found.get("method")) is not str:
            raise ValueError("shapes, method: expected a list and a text")
        if not found["low"] <= found["median"] <= found["high"]:
            raise ValueError("low, median, high: expected them in this order")
        return cls(**{field.name: found[field.name] for field in dataclasses.fields(cls)})


@dataclasses.dataclass(frozen=True)
class Entry:
    """One quantity of one case.

    Attributes:
        reading: What was measured.
        counts: What one call asked for; empty if they are unknown.
    """

    reading: Reading
    counts: dict[str, int]


@dataclasses.dataclass(frozen=True)
class StoredRun:
    """The stored data of an earlier run.

    Attributes:
        file: Where it is stored.
        when: When it was stored, as the file says.
        entries: What it measured, by node id.
    """

    file: Path
    when: str
    entries: dict[str, Entry]

    @classmethod
    def read(cls, file: Path, identity: dict[str, str]) -> StoredRun:
        """Return the run in a file that is comparable with one of this identity.

        Raises:
            StoredRunError: The file holds none, or one from elsewhere.
        """
        try:
            return cls._of(file, json.loads(file.read_text(encoding="utf-8")), identity)
        except OSError as error:
            raise StoredRunError(f"it cannot be read: {error.strerror}") from error
        except (ValueError, RecursionError) as error:  # what is no text is no JSON, either
            raise StoredRunError(f"it is no JSON: {error}; {_AGAIN}") from error

    @classmethod
    def _of(cls, file: Path, found: Any, identity: dict[str, str]) -> StoredRun:
        if not isinstance(found, dict) or not isinstance(found.get("benchmarks"), list):
            raise StoredRunError(f"pytest-benchmark has not written it: it has no list of benchmarks; {_AGAIN}")
        entries = dict(_entry(each) for each in found["benchmarks"] if _is_ours(each))
        if not entries:
            raise StoredRunError(f"it has no latency of ours; {_AGAIN}")
        _insist_on_the_machine(found.get("machine_info"), identity)
        return cls(file, str(found.get("datetime", "")), entries)

    @property
    def title(self) -> str:
        """Its name in messages."""
        return f"{self.file.name}, stored {self.when.partition('.')[0]}"

    def entry(self, place: ItemId) -> Entry | None:
        """Return the entry of a quantity; None if the run does not have it."""
        return self.entries.get(place.nodeid)

    def counts(self, place: ItemId) -> dict[str, int]:
        """Return the counts of the case that a place belongs to."""
        case = _case(place.nodeid)
        return next((each.counts for nodeid, each in self.entries.items() if _case(nodeid) == case and each.counts), {})

    def insist_on_the_same_cases(self, present: Iterable[ItemId], wanted: Iterable[ItemId]) -> None:
        """Make sure that no case is compared with nothing, nor forgotten.

        Args:
            present: A place of every case in the modules of this run.
            wanted: A place of every case that is to be compared.

        Raises:
            StoredRunError: A case is missing, there or here.
        """
        stored, here = set(map(_case, self.entries)), {_case(place.nodeid) for place in present}
        for case in sorted({_case(place.nodeid) for place in wanted} - stored):
            raise StoredRunError(f"it has nothing of {case}; {_AGAIN}, or leave that case out")
        for case in sorted(stored - here):
            raise StoredRunError(f"it has {case}, which this run does not have; name its module, too, or {_AGAIN}")


def _insist_on_the_machine(there: Any, here: dict[str, str]) -> None:
    identity = there.get(IDENTITY) if isinstance(there, dict) else None
    if not isinstance(identity, dict):
        raise StoredRunError(f"it does not say which machine it is from; {_AGAIN}")
    differing = differences({str(name): str(value) for name, value in identity.items()}, here)
    if differing:
        raise StoredRunError(
            f"it cannot be compared with this run, which is of another machine, software or options: "
            f"{'; '.join(differing)}; {_AGAIN}"
        )


def _is_ours(benchmark: Any) -> bool:
    if not isinstance(benchmark, dict) or not isinstance(benchmark.get("fullname"), str):
        raise StoredRunError(f"it is damaged: a benchmark has no name; {_AGAIN}")
    more = benchmark.get("extra_info")
    return isinstance(more, dict) and READING in more


def _entry(benchmark: dict[str, Any]) -> tuple[str, Entry]:
    name, more = benchmark["fullname"], benchmark["extra_info"]
    try:
        reading, counts = Reading.from_plain(more[READING]), more.get("counts")
    except (ValueError, OverflowError) as error:
        raise StoredRunError(f"it is damaged: {name}: {error}; {_AGAIN}") from error
    if not isinstance(counts, dict) or not all(isinstance(count, int) for count in counts.values()):
        raise StoredRunError(f"it is damaged: {name}: counts: expected whole numbers, found {counts!r}; {_AGAIN}")
    return name, Entry(reading, counts)


def _case(nodeid: str) -> str:
    """Return the case that a node id belongs to, as a node id."""
    return nodeid.rpartition("::")[0]
