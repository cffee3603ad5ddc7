"""Write the traces of a run in Chrome's trace event format, for ui.perfetto.dev and chrome://tracing.

In the viewer, each case of a plugin is a process. It has a thread for each object, with the calls on the object. It
also has a thread for each real thread, with the application's steps around the calls. Arrows lead from the call that
created an object to the object's first call. Times are in microseconds, as the format requires.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.results.report import Document

_Event = dict[str, Any]
#: The first thread number of objects; real threads have smaller numbers.
_FIRST_OBJECT = 1000


def render(document: Document) -> str:
    """Return the traces of a document as JSON; the document needs the appendix."""
    traces: Mapping[str, Any] = document.get("traces", {})
    events = [event for number, case in enumerate(traces.items(), 1) for event in _Case(number, *case).events()]
    other = {
        "status": document["status"],
        "versions": document["versions"],
        "level": document["level"],
        "spec": document["spec"],
        "incomplete": {case: trace["note"] for case, trace in traces.items() if trace["note"]},
    }
    return json.dumps({"displayTimeUnit": "ns", "otherData": other, "traceEvents": events}, indent=1) + "\n"


class _Case:
    """The events of one case, which is a process of the viewer."""

    def __init__(self, process: int, name: str, trace: dict[str, Any]) -> None:
        self._process = process
        self._name = name
        self._trace = trace
        # A thread of the viewer for each pair of an object and a real thread that calls it.
        called = dict.fromkeys((call["object"], call["thread"]) for call in trace["calls"])
        self._tracks = {key: _FIRST_OBJECT + number for number, key in enumerate(called)}
        end = max((each["begun"] + (each["duration"] or 0) for each in (*trace["calls"], *trace["steps"])), default=0)
        self._end = end

    def events(self) -> Iterator[_Event]:
        """Yield the events with names, then all others in the order of time."""
        yield from self._names()
        timed = [*self._slices(), *self._marks(), *self._arrows()]
        yield from sorted(timed, key=lambda event: (event["ts"], -event.get("dur", 0)))

    def _names(self) -> Iterator[_Event]:
        note = self._trace["note"]
        yield self._meta("process_name", 0, name=f"{self._name.removesuffix('::')}{f' ({note})' if note else ''}")
        yield self._meta("process_sort_index", 0, sort_index=self._process)
        for number, name in enumerate(self._trace["threads"], 1):
            yield self._meta("thread_name", number, name=f"{name} (what the application and TensorRT do)")
            yield self._meta("thread_sort_index", number, sort_index=number)
        objects = {each["name"]: each for each in self._trace["objects"]}
        for (name, thread), track in self._tracks.items():
            each = objects[name]
            title = f"{name} ({each['by']} of {each['parent']})" if each["by"] else name
            title += f", in {self._trace['threads'][thread - 1]}" if thread > 1 else ""
            yield self._meta("thread_name", track, name=title)
            yield self._meta("thread_sort_index", track, sort_index=track)

    def _slices(self) -> Iterator[_Event]:
        for step in self._trace["steps"]:
            arguments = ", ".join(step["arguments"])
            args = {"arguments": arguments, **({"raised": step["error"]} if step["error"] else {})}
            name = f"{step['object']}.{step['method']}"
            yield self._slice(name, "application", step["thread"], step, args)
        for call in self._trace["calls"]:
            track = self._tracks[call["object"], call["thread"]]
            yield self._slice(call["method"], call["phase"], track, call, _args(call))
            yield self._slice(f"{call['object']}.{call['method']}", call["phase"], call["thread"], call, _args(call))

    def _marks(self) -> Iterator[_Event]:
        """Yield marks for events that slices do not show: destructions, and calls that never returned."""
        for call in self._trace["calls"]:
            track = self._tracks[call["object"], call["thread"]]
            if call["duration"] is None:
                yield self._event("i", "did not return", call["phase"], track, self._end, s="p", args=_args(call))
            elif call["after"] == "destroyed" and call["before"] != "destroyed":
                end = call["begun"] + call["duration"]
                yield self._event("i", "destroyed", "lifecycle", track, end, s="t")

    def _arrows(self) -> Iterator[_Event]:
        """Yield an arrow from the call that created an object to the object's first call."""
        calls = {call["number"]: call for call in self._trace["calls"]}
        first: dict[str, dict[str, Any]] = {}
        for call in self._trace["calls"]:
            first.setdefault(call["object"], call)
        for number, each in enumerate(self._trace["objects"], 1):
            maker, begin = calls.get(each["call"]), first.get(each["name"])
            if maker is None or begin is None or begin["begun"] < maker["begun"]:
                continue
            same = {"id": self._process * 100_000 + number}
            source, target = (self._tracks[call["object"], call["thread"]] for call in (maker, begin))
            yield self._event("s", each["by"], "lifecycle", source, maker["begun"], **same)
            yield self._event("f", each["by"], "lifecycle", target, begin["begun"], bp="e", **same)

    def _slice(self, name: str, category: str, track: int, span: dict[str, Any], args: dict[str, Any]) -> _Event:
        duration = self._end - span["begun"] if span["duration"] is None else span["duration"]
        return self._event("X", name, category, track, span["begun"], dur=duration / 1000, args=args)

    def _event(self, phase: str, name: str, category: str, track: int, at: int, **more: Any) -> _Event:
        where = {"pid": self._process, "tid": track, "ts": at / 1000}
        return {"ph": phase, "name": name, "cat": category, **where, **more}

    def _meta(self, name: str, track: int, /, **args: Any) -> _Event:
        return {"ph": "M", "name": name, "pid": self._process, "tid": track, "args": args}


def _args(call: dict[str, Any]) -> dict[str, Any]:
    facts = {"call": call["number"], "phase": call["phase"], "arguments": ", ".join(call["arguments"])}
    if call["after"]:
        facts["stage"] = call["before"] if call["before"] == call["after"] else f"{call['before']} -> {call['after']}"
    facts["outcome"] = f"{call['outcome']} {call['value']}".rstrip()
    if call["failure"]:
        facts["TensorRT"] = f"{call['failure']['what']}; {call['failure']['becomes']}"
    return facts
