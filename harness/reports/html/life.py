"""Draw a plugin's life on one time line: a lane for each object, and a curve of the device memory.

Calls go from left to right. All have the same width, because times of the reference runtime mean little. They also
differ by orders of magnitude.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from harness.contract.wording import counted
from harness.reports.html.drawing import drawing, figure, glyph
from harness.reports.html.markup import Html, element
from harness.reports.html.timeline import kind_of, step_of

Plain = dict[str, Any]
_LANE, _TOP, _MEMORY, _GAP, _LETTER, _LONGEST = 22, 124, 64, 34, 6.7, 34
_WIDTH, _WIDEST, _NARROWEST = 900, 18, 4
_NAMED_APART: Final = 14
_MOST_CALLS: Final = 600
#: The origin of an object, by the method that created it: the class in the style sheet, and the words for it.
_ORIGINS: Final[Mapping[str, tuple[str, str]]] = {
    "": ("c0", "known from the beginning"),
    "create_plugin": ("c1", "original"),
    "clone": ("c2", "clone"),
    "deserialize_plugin": ("c3", "deserialized"),
    "attach_to_context": ("c5", "attached to a context"),
    "get_capability_interface": ("c0", "capability"),
}


def life(trace: Plain) -> Html | None:
    """Return the drawing of a trace; None if the trace has no calls."""
    return _Life(trace).figure() if trace["calls"] else None


class _Life:
    """The drawing of one trace, with the coordinates of its objects and calls."""

    def __init__(self, trace: Plain) -> None:
        self._trace = trace
        self._calls: list[Plain] = trace["calls"][:_MOST_CALLS]
        self._at = {call["number"]: place for place, call in enumerate(self._calls)}
        called = {call["object"] for call in self._calls}
        self._objects = [each for each in trace["objects"] if each["name"] in called or each["call"] in self._at]
        self._lanes = {each["name"]: lane for lane, each in enumerate(self._objects)}
        longest = max((len(_label(each)) for each in self._objects), default=0)
        self._left = longest * _LETTER + 18
        self._step = min(_WIDEST, max(_NARROWEST, _WIDTH / len(self._calls)))
        self._right = self._left + len(self._calls) * self._step
        self._bottom = _TOP + len(self._objects) * _LANE

    def figure(self) -> Html:
        """Return the picture with its legend."""
        objects, calls = counted(len(self._objects), "object"), counted(len(self._calls), "call")
        title = f"Life of the plugin: {calls} on {objects}"
        memory = [call["memory"] for call in self._calls if call.get("memory")]
        grows = max((total for total, _ in memory), default=0)
        described = "; ".join(f"{_label(each)}: {self._count(each['name'])}" for each in self._objects)
        used = (
            f"The host device holds at most {_size(grows)}." if grows else "No memory of the host device was recorded."
        )
        height = self._bottom + (_GAP + _MEMORY if grows else 0) + 14
        parts = [*self._bands(), *map(self._lane, self._objects), *map(self._call, self._calls)]
        picture = drawing(
            title, f"{described}. {used}", self._right + 60, height, *parts, *(self._memory(grows) if grows else ())
        )
        left = len(self._trace["calls"]) - len(self._calls)
        caption = "Calls run to the right, all equally wide; the application's steps are named above. "
        caption += used if grows else "No memory of the host device was recorded, so its curve is left out."
        caption += f" The first {_MOST_CALLS} calls are drawn; the table has the others." if left else ""
        return figure(caption, self._legend(), picture)

    def _legend(self) -> list[tuple[str, str]]:
        kinds = {kind_of(call) for call in self._calls}
        marks = [("call run", "execution")] if "run" in kinds else []
        marks += [("call default", "not overridden: TensorRT's default")] if "default" in kinds else []
        return [("call", "call"), *marks, *([("cross", "failed")] if "failed" in kinds else [])]

    def _count(self, name: str) -> str:
        return counted(sum(call["object"] == name for call in self._calls), "call")

    def _x(self, place: float) -> float:
        return self._left + (place + 0.5) * self._step

    def _y(self, name: str) -> float:
        return _TOP + (self._lanes[name] + 0.5) * _LANE

    def _bands(self) -> Iterator[Html]:
        """Shade every other step of the application, and name the steps that are far enough from the last name."""
        steps = sorted(self._trace["steps"], key=lambda step: step["begun"])
        of_calls = [step_of(steps, call) for call in self._calls]
        begins = [place for place, step in enumerate(of_calls) if not place or step is not of_calls[place - 1]]
        named = float(-_NAMED_APART)
        for number, (first, end) in enumerate(zip(begins, [*begins[1:], len(of_calls)], strict=True)):
            x, width, step = self._left + first * self._step, (end - first) * self._step, of_calls[first]
            title = f"{step['object']}.{step['method']}()" if step else "the application"
            yield element(
                "rect",
                element("title", title),
                x=f"{x:.1f}",
                y=_TOP,
                width=f"{width:.1f}",
                height=self._bottom - _TOP,
                class_=f"band b{number % 2}",
            )
            if step and x - named >= _NAMED_APART:
                named = x
                turned = f"translate({x + 9:.1f} {_TOP - 6}) rotate(-40)"
                yield element("text", _cut(step["method"], 26), transform=turned, class_="dim")

    def _lane(self, entry: Plain) -> Html:
        """Draw an object's lane from its first call to its end, with a line from the object that created it."""
        name, y = entry["name"], self._y(entry["name"])
        own = [self._at[call["number"]] for call in self._calls if call["object"] == name]
        first = self._at.get(entry["call"], min(own, default=0))
        last = max([self._at.get(entry["destroyed"], len(self._calls) - 1), *own])
        path = f"M{self._x(first):.1f} {y:g}H{self._x(last):.1f}"
        if entry["parent"] in self._lanes:
            path = f"M{self._x(first):.1f} {self._y(entry['parent']):g}V{y:g}{path[path.index('H') :]}"
        colour = _ORIGINS.get(entry["by"], _ORIGINS[""])[0]
        label = element(
            "text", element("title", name), _label(entry), x=f"{self._left - 10:g}", y=f"{y + 4:g}", text_anchor="end"
        )
        return element("g", element("path", d=path, class_=f"lane {colour}"), label)

    def _call(self, call: Plain) -> Html:
        x, y, kind = self._x(self._at[call["number"]]), self._y(call["object"]), kind_of(call)
        title = f"{call['number']}. {call['object']}.{call['method']}: {call['outcome']} {call['value']}".rstrip()
        return glyph("cross" if kind == "failed" else f"call {kind}".rstrip(), round(x, 1), y, title)

    def _memory(self, most: int) -> Iterator[Html]:
        """Draw the device memory after each call: all of it, and the part that the plugin itself allocated."""
        base = self._bottom + _GAP + _MEMORY
        held, totals, own = [0, 0], [], []
        for call in self._calls:  # the memory after a call that never returned is unknown
            held = call.get("memory") or held
            totals.append(held[0])
            own.append(held[1])
        yield element("path", d=f"M{self._left:g} {base}H{self._right:g}", class_="grid")
        yield self._area(totals, most, base, "memory-all", f"all: at most {_size(most)}")
        if any(own):
            yield self._area(own, most, base, "memory-own", f"the plugin's own: at most {_size(max(own))}")
        label, x = f"device memory, at most {_size(most)}", self._left
        yield element("text", label, x=f"{x:g}", y=base - _MEMORY - 8, class_="dim")
        if any(own):
            yield element(
                "text",
                f"darker: the plugin's own, {_size(max(own))}",
                x=f"{x + 230:g}",
                y=base - _MEMORY - 8,
                class_="dim",
            )

    def _area(self, values: Sequence[int], most: int, base: float, kind: str, title: str) -> Html:
        path = f"M{self._left:g} {base:g}"
        for place, value in enumerate(values):
            x = self._left + place * self._step
            path += f"L{x:.1f} {base - value / most * _MEMORY:.1f}h{self._step:.2f}"
        return element("path", element("title", title), d=f"{path}V{base:g}Z", class_=kind)


def _label(entry: Plain) -> str:
    origin = _ORIGINS.get(entry["by"], ("", entry["by"]))[1]
    text = f"{_cut(entry['name'], 20)}, {origin}" if entry["by"] else _cut(entry["name"], 20)
    return _cut(text, _LONGEST)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _size(count: float) -> str:
    """Return a number of bytes as text, for example ``1.5 KiB``."""
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:  # noqa: PLR2004
            return f"{count:,.4g} {unit}"
        count /= 1024
    return f"{count:,.4g} GiB"
