"""Read a recorder's lines of JSON into one trace of plain data; a recording that ended early is read, too.

A trace has a plugin's objects, the calls on each in order, and the steps of the drive around them. Times are
nanoseconds since the first call or step. Its parts are:

* ``objects``: name, kind (the class), by (the method that created it; empty if unknown), parent

  * call: the number of the call that created it
  * born: its first stage
  * destroyed: the number of the call that destroyed it

* ``calls``: number, object, method, phase, thread, arguments, outcome

  * before and after: the object's stages before and after the call
  * value: the returned value as text
  * made: whether the value is the name of a new object
  * failure: what failed, and what TensorRT does then; None without a failure
  * begun: the time
  * duration: None if the call never returned
  * memory: bytes on the host device after the call, all and the plugin's own; None if unknown

* ``steps``: object, method, arguments, thread, error, begun, duration (None as for calls)
* ``threads``: the names of the threads that called, in the order of their numbers, which begin with 1
* ``left_out``: the number of calls that the limit left out
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: The outcome of a call that never returned.
NO_RETURN: Final = "did not return"
#: The most calls, and the most steps, in a trace: people read the report.
MOST_CALLS: Final = 20_000

#: The keys that a line of each kind must have.
_KEYS: Final = {
    "call": {"number", "at", "thread", "thread_name", "object", "kind", "method", "phase", "arguments"},
    "end": {"number", "at", "duration", "outcome", "value", "made"},
    "move": {"object", "method", "before", "after"},
    "claim": {"object", "stage"},
    "failure": {"object", "method", "what", "becomes"},
    "step": {"number", "at", "thread", "object", "method", "arguments"},
    "done": {"number", "duration", "error"},
}

Plain = dict[str, Any]


def read(lines: Iterable[str]) -> Plain:
    """Return the trace in some lines; lines that are no complete record of a recorder are left out."""
    reader = _Reader()
    for record in _records(lines):
        getattr(reader, record["is"])(record)
    return reader.trace()


def _records(lines: Iterable[str]) -> Iterator[Plain]:
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and _KEYS.get(str(record.get("is")), {""}) <= record.keys():
            yield record


class _Reader:
    """Builds the trace from records; it has a method for each kind of record."""

    def __init__(self) -> None:
        self._begin: int | None = None
        self._calls: dict[int, Plain] = {}
        self._objects: dict[str, Plain] = {}
        self._steps: dict[int, Plain] = {}
        self._threads: dict[int, str] = {}
        self._moves: dict[tuple[str, str], Plain] = {}

    def call(self, record: Plain) -> None:
        """Begin a call; the record of its change of stage may have come before."""
        name = record["object"]
        self._object(name)["kind"] = record["kind"]
        self._threads.setdefault(record["thread"], record["thread_name"])
        call = {each: record[each] for each in ("number", "object", "method", "phase", "thread", "arguments")}
        call |= {
            "before": "",
            "after": "",
            "outcome": NO_RETURN,
            "value": "",
            "made": False,
            "failure": None,
            "memory": None,
        }
        call |= {"begun": self._since(record["at"]), "duration": None}
        self._calls[record["number"]] = call
        move = self._moves.pop((name, record["method"]), None)
        if move is not None:
            self._put(call, move)

    def end(self, record: Plain) -> None:
        """End a call, and note the object that it created."""
        call = self._calls.get(record["number"])
        if call is None:
            return
        call |= {name: record[name] for name in ("outcome", "value", "made", "duration")}
        call["memory"] = record.get("memory")
        call["begun"] = self._since(record["at"])
        if record["made"] and record["value"] not in self._objects:
            made = {"by": call["method"], "parent": call["object"], "call": call["number"]}
            self._object(record["value"]).update(made)

    def move(self, record: Plain) -> None:
        """Add a change of stage to the method's last call if that has ended; else keep it for the next."""
        same = (record["object"], record["method"])
        last = self._last(*same)
        if last is not None and last["duration"] is not None and not last["after"]:
            self._put(last, record)
        else:
            self._moves[same] = record

    def claim(self, record: Plain) -> None:
        """Note in which stage an object begins."""
        entry = self._object(record["object"])
        entry["born"] = entry["born"] or record["stage"]

    def failure(self, record: Plain) -> None:
        """Add a failure to its call: what failed, and what TensorRT does then."""
        last = self._last(record["object"], record["method"])
        if last is not None:
            last["failure"] = {"what": record["what"], "becomes": record["becomes"]}

    def step(self, record: Plain) -> None:
        """Begin a step of the drive."""
        step = {name: record[name] for name in ("object", "method", "arguments", "thread")}
        self._steps[record["number"]] = {**step, "begun": self._since(record["at"]), "duration": None, "error": ""}

    def done(self, record: Plain) -> None:
        """End a step of the drive."""
        if record["number"] in self._steps:
            self._steps[record["number"]] |= {name: record[name] for name in ("duration", "error")}

    def trace(self) -> Plain:
        """Return the trace, with times since the first call or step."""
        numbers = {thread: number for number, thread in enumerate(self._threads, 1)}
        for entry in (*self._calls.values(), *self._steps.values()):
            entry["begun"] -= self._begin or 0
            entry["thread"] = numbers.get(entry["thread"], 1)
        calls = list(self._calls.values())
        self._fill(calls)
        return {
            "objects": list(self._objects.values()),
            "calls": calls[:MOST_CALLS],
            "steps": list(self._steps.values())[:MOST_CALLS],
            "threads": list(self._threads.values()),
            "left_out": max(0, len(calls) - MOST_CALLS),
        }

    def _fill(self, calls: list[Plain]) -> None:
        """Fill in the stage of calls without a record of it: they change no stage."""
        stages = {name: entry["born"] for name, entry in self._objects.items()}
        for call in calls:
            if not call["after"]:
                call.update(dict.fromkeys(("before", "after"), stages.get(call["object"], "")))
            stages[call["object"]] = call["after"]

    def _since(self, at: int) -> int:
        self._begin = at if self._begin is None else min(self._begin, at)
        return at

    def _object(self, name: str) -> Plain:
        kind = name.partition("#")[0]
        unborn = {"name": name, "kind": kind, "by": "", "parent": "", "call": 0, "born": "", "destroyed": 0}
        return self._objects.setdefault(name, unborn)

    def _last(self, name: str, method: str) -> Plain | None:
        backwards = reversed(self._calls.values())
        return next((call for call in backwards if (call["object"], call["method"]) == (name, method)), None)

    def _put(self, call: Plain, move: Plain) -> None:
        call |= {"before": move["before"], "after": move["after"]}
        if move["after"] == "destroyed":
            self._objects[call["object"]]["destroyed"] = call["number"]
