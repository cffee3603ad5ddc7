"""Which test first uses each member of the classes around plugins: measured, by watching the members themselves.

Each method, property and constant of a bound class is replaced by one that notes the test that is running and then does
what it did. Uses by the runtime's own code do not count. A member is noted under the class that defines it: a test of
``ILayer.name`` is one of ``IShuffleLayer.name``, too.
"""

import functools
import json
import sys

import reference_runtime
from harness.frontends.cli.parity import surface

#: The runtime's functions between a use of a member and the member: those of the metaclass and of class properties.
_BETWEEN = {"__call__", "__get__", "__set__", "__delete__", "__getattr__", "__getattribute__"}
_MEASURED = surface.load("10")

__name__ = (
    "reference_runtime.recorded"  # so that the frames here are the runtime's own, and no user's, for its messages
)


class Recorder:
    """A note of who used what first."""

    def __init__(self):
        self.test = ""
        self.first = {}

    def watch(self):
        """Replace every member of every class that counts by one that takes notes."""
        named = [getattr(reference_runtime, name, None) for name in _MEASURED.classes]
        for cls in dict.fromkeys(cls for cls in named if isinstance(cls, type)):
            for name, member in list(vars(cls).items()):
                replaced = self._watched(cls, name, member)
                if replaced is not None:
                    type.__setattr__(cls, name, replaced)

    def note(self, owner, member):
        """Write a use down, unless it is the runtime's own."""
        frame = sys._getframe(2)
        while _is_ours(frame) and frame.f_code.co_name in _BETWEEN:
            frame = frame.f_back
        if self.test and not _is_ours(frame):
            self.first.setdefault(f"{owner.__name__}.{member}", self.test)

    def _watched(self, cls, name, member):
        wanted = any(name in members for members in _MEASURED.classes.values())
        if not wanted or name in {"__new__", "__module__", "__doc__"}:
            return None
        if isinstance(member, property):
            return self._property(cls, name, member)
        if isinstance(member, (staticmethod, classmethod, type)) or not callable(member):
            return _Constant(self, cls, name, member)
        return self._method(cls, name, member)

    def _method(self, cls, name, function):
        @functools.wraps(function)
        def noted(*arguments, **named):
            self.note(cls, name)
            return function(*arguments, **named)

        if hasattr(function, "pybind11_bound"):
            noted.pybind11_bound = noted
        return noted

    def _property(self, cls, name, member):
        def noted(function):
            @functools.wraps(function)
            def used(this, *arguments):
                self.note(cls, name)
                return function(this, *arguments)

            return used

        parts = [None if part is None else noted(part) for part in (member.fget, member.fset)]
        replaced = type(member)(*parts, None, member.__doc__)
        for key, value in getattr(member, "__dict__", {}).items():
            setattr(replaced, key, value)
        return replaced

    def save(self, path):
        """Write the notes down, sorted."""
        path.write_text(json.dumps(dict(sorted(self.first.items())), indent=0) + "\n")


def _is_ours(frame):
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "reference_runtime"


class _Constant:
    """A class's attribute that is no method: who reads it is noted."""

    def __init__(self, recorder, owner, name, value):
        self.recorder, self.owner, self.name, self.value = recorder, owner, name, value

    def __get__(self, instance, owner=None):
        self.recorder.note(self.owner, self.name)
        return self.value.__get__(instance, owner) if hasattr(self.value, "__func__") else self.value
