"""Check that the code that judges is unchanged since before the user's code ran.

Theory: a plugin runs in the process of its judge and can replace the judge's code. So this process notes the code that
judges, before it imports the user's module. These are functions, classes and constants of the harness, the rules and
the runtime. It also notes the NumPy and Python functions that these call. In a fork, a comparison of all this code
copies its memory, and takes longer than most tasks. So all code is compared only after the import, and after each task
that runs all callbacks. After any other task, the code that judges outputs is compared, and a part of the rest. Rule
and seed choose that part, so that different tasks compare different parts.

The comparison is a nested function that uses only variables of the outer function. No name leads to it, so the plugin
cannot replace it by name. Objects are compared by identity, which an object cannot forge as it can ``__eq__``.
"""

from __future__ import annotations

import builtins
import functools
import operator
import sys
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec
import numpy as np
from msgspec import structs

from harness.child.integrity.functions import cells_of, functions_in, is_code, words_of
from harness.contract.own_names import own
from harness.process.handover import InterferenceError
from harness.process.loaded_files import OURS

if TYPE_CHECKING:
    from harness.contract.rule import Rule

#: The number of parts into which the rest is divided.
PARTS = 64
#: Modules that are not compared, because users may replace names in TensorRT and CuPy.
PUBLIC = {"reference_runtime", "reference_runtime.plugin", "reference_runtime.bridges.cupy"}
#: The modules that make verdicts of outputs, and send them.
_DECIDING = set(
    map(
        own,
        (
            "harness.cases.case",
            "harness.checks.observation.comparing",
            "harness.checks.running.expected_outputs",
            "harness.checks.running.runs",
            "harness.checks.sampling.oracle",
            "harness.child.integrity.judged_case",
            "harness.child.integrity.trace_functions",
            "harness.child.judge",
            "harness.child.rule_answers",
            "harness.child.task",
            "harness.contract.finding",
            "harness.process.flight_recorder",
            "harness.process.handover",
            "harness.protocol.messages",
        ),
    )
)
#: Modules that the deciding modules use only through objects: for methods of arrays, and to write JSON.
_BELOW = ("numpy._core._methods", "numpy.core._methods", "json.encoder")
#: Classes of the values that the deciding modules compute with; they are written in C, so no module has their methods.
_CLASSES = (np.ndarray, np.generic, np.ufunc, msgspec.Struct, list, tuple, dict, str, float, int, object)
#: Modules of Python and of other packages that the deciding modules use by name, and that no honest plugin changes.
_USED = {
    *("builtins", "dataclasses", "itertools", "json", "mmap", "msgspec", "msgspec.structs"),
    *("numpy", "operator", "os", "struct"),
}
#: Names that Python itself adds to modules and classes.
_ADDED = {"__annotations__", "__warningregistry__", "__abstractmethods__"}


class Insist(Protocol):
    """Function that makes sure that the code that judges is unchanged."""

    def __call__(self, part: int | None) -> None:
        """Raise `InterferenceError` if the code that makes verdicts of outputs, or a part of the rest, has changed.

        ``part`` is below :data:`PARTS`; None means all parts.
        """


class _Names(NamedTuple):
    """Some names in a module, class or object, and their values.

    Attributes:
        title: The name of the module, class or object.
        space: The values by name.
        listed: The names that are compared; None for all.
        strict: Whether each change counts. If not, changes of code and constants count, and new names.
    """

    title: str
    space: Mapping[str, Any]
    listed: tuple[str, ...] | None = None
    strict: bool = False

    @property
    def read(self) -> Callable[[], Iterable[Any]]:
        """Return a function that returns the values of the names."""
        if self.listed is not None:
            return functools.partial(map, self.space.get, self.listed)
        return self.space.read if isinstance(self.space, _Fields) else self.space.values

    def now(self) -> dict[str, Any]:
        """Return the compared names with their present values."""
        return dict(self.space if self.listed is None else zip(self.listed, self.read(), strict=True))


class _Fields(Mapping[str, Any]):
    """The current values of a record, by the names of its fields.

    Attributes:
        read: Returns the values. It is a function in C, so user code cannot replace its code.
    """

    def __init__(self, record: msgspec.Struct) -> None:
        self._record = record
        self.read = functools.partial(structs.astuple, record)

    def __getitem__(self, name: str) -> Any:
        try:
            return getattr(self._record, name)
        except AttributeError:  # user code has deleted it
            raise KeyError(name) from None

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a field."""
        return getattr(self._record, name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._record.__struct_fields__)

    def __len__(self) -> int:
        return len(self._record.__struct_fields__)


def judging_code(rules: Mapping[str, Rule]) -> Insist:
    """Return a function that compares the code that judges with its present state; ``rules`` are those that judge.

    No name leads to that function, or to the functions that it calls.
    """
    ours = list(_own_modules({rule.judge.__module__ for rule in rules.values()}))
    deciding = [module for module in ours if module.__name__ in _DECIDING]
    others = [module for module in ours if module.__name__ not in {*_DECIDING, *PUBLIC}]
    below = [sys.modules[name] for name in _BELOW if name in sys.modules]
    each_rule = (_Names(f"rule {rule.id}", vars(rule), strict=True) for rule in rules.values())
    classes = (_Names(f"{each.__module__}.{each.__name__}", vars(each)) for each in _CLASSES)
    always = _look([*_deeper([*_names_of([*deciding, *below]), *_used_by(deciding)]), *classes])
    rest = [*_names_of(others), *each_rule, _Names("rules", rules, strict=True)]
    parts = [_look(rest[part::PARTS]) for part in range(PARTS)]
    interference = InterferenceError

    def insist(part: int | None) -> None:
        for look in (always, *(parts if part is None else parts[part : part + 1])):
            if changed := look():
                raise interference(f"it replaced {changed}")

    return insist


def part_of(rule: str, seed: int) -> int:
    """Return the part of the rest that is compared after a rule with a seed, always the same for both."""
    return zlib.crc32(f"{rule} {seed}".encode()) % PARTS


def _look(all_names: Iterable[_Names]) -> Callable[[], str]:
    """Return a function that returns a name whose value or code has changed since now; empty if none has changed."""
    known = [(each, each.now()) for each in all_names]
    reads = [each.read for each, _ in known]
    latest = [[value for _, before in known for value in before.values()]]
    inside = [(get, held, [*map(get, held)]) for get, held in _inside(latest[0])]
    is_same, change, get_name, each_of, beside, next_of, kind = _is_same(), _change(), getattr, map, zip, next, type

    def look() -> str:
        now: list[Any] = []
        for read in reads:
            now += read()
        if not is_same(now, latest[0]):
            for names, before in known:
                if changed := change(names, before):
                    return changed
            latest[0] = now  # the changes are allowed
        for get, held, then in inside:
            held_now = [*each_of(get, held)]
            if not is_same(held_now, then):
                each, old = next_of((each, old) for each, one, old in beside(held, held_now, then) if one is not old)
                named = old if get is kind else each
                title = f"{get_name(named, '__module__', 'variable')}.{get_name(named, '__qualname__', '')}"
                return f"the class of an object: {title}" if get is kind else title
        return ""

    return look


def _is_same() -> Callable[[list[Any], list[Any]], bool]:
    """Return a function that says whether two lists hold the same objects."""
    every, each, same, size = all, map, operator.is_, len
    return lambda now, then: size(now) == size(then) and every(each(same, now, then))


def _change() -> Callable[[_Names, dict[str, Any]], str]:
    """Return a function that returns a name whose change is not allowed; empty if there is none."""
    missing, usual, module, kind, counts = object(), _ADDED, ModuleType, type, is_code

    def change(names: _Names, before: dict[str, Any]) -> str:
        for key in before if names.listed is not None else {**before, **names.space}:
            then, value = before.get(key, missing), names.space.get(key, missing)
            is_new = then is missing and key not in usual and kind(value) is not module
            becomes_code = then is not None and counts(value)
            if value is not then and (is_new or names.strict or key.isupper() or counts(then) or becomes_code):
                return f"{names.title}.{key}"
        return ""

    return change


def _inside(values: Collection[Any]) -> Iterator[tuple[Callable[[Any], Any], list[Any]]]:
    """Yield functions that look up an attribute, each with objects, to notice changes inside these objects.

    These are the code and defaults of functions, the variables that they close over, and the classes of objects.
    """
    functions = list(functions_in(values))
    for name in ("__code__", "__defaults__", "__kwdefaults__"):
        get = operator.attrgetter(name)
        if held := [each for each in functions if get(each) is not None]:
            yield get, held
    ours = {kind for kind in {*map(type, values)} if kind.__module__.partition(".")[0] in OURS}
    if objects := [each for each in values if type(each) in ours]:
        yield type, objects
    if cells := [cell for each in functions if each.__closure__ for cell in cells_of(each)]:
        yield operator.attrgetter("cell_contents"), cells


def _own_modules(judging: set[str]) -> Iterator[ModuleType]:
    tops = {*OURS, *(name.partition(".")[0] for name in judging)}
    return (module for name, module in list(sys.modules.items()) if name.partition(".")[0] in tops)


def _names_of(modules: Iterable[ModuleType]) -> Iterator[_Names]:
    """Yield the names in modules, and in the classes that they define."""
    for module in modules:
        yield _Names(module.__name__, vars(module))
        for each in list(vars(module).values()):
            if isinstance(each, type) and each.__module__ == module.__name__:
                yield _Names(f"{module.__name__}.{each.__qualname__}", vars(each))


def _used_by(modules: Iterable[ModuleType]) -> Iterator[_Names]:
    """Yield the names that some modules use in the modules of `_USED`, which include Python's built-in functions."""
    used: dict[ModuleType, set[str]] = {}
    for module in modules:
        codes = [function.__code__ for function in functions_in(_all_in(module))]
        words = {word for code in codes for word in words_of(code)}
        for other in (builtins, *(each for each in vars(module).values() if isinstance(each, ModuleType))):
            used.setdefault(other, set()).update(word for word in words if is_code(vars(other).get(word)))
    for other, words in used.items():
        if words and other.__name__ in _USED:
            yield _Names(other.__name__, vars(other), tuple(sorted(words)))


def _all_in(module: ModuleType) -> Iterator[Any]:
    for names in _names_of([module]):
        yield from names.space.values()


def _deeper(all_names: Iterable[_Names]) -> Iterator[_Names]:
    """Yield some names, and the names inside their values: in constants, and in the defaults of functions."""
    waiting, visited = list(all_names), set[int]()
    while waiting:
        names = waiting.pop(0)
        yield names
        for key, value in list(names.space.items()) if names.listed is None else ():
            title = f"{names.title}.{key}"
            if isinstance(value, FunctionType) and value.__kwdefaults__:
                waiting.append(_Names(title, value.__kwdefaults__, strict=True))
            held = _data_in(value) if names.strict or key.isupper() else None
            if held and id(value) not in visited:
                visited.add(id(value))
                waiting.append(_Names(title, held, strict=True))


def _data_in(value: Any) -> Mapping[str, Any] | None:
    """Return the contents of a constant: a mapping, or an object of a class of this project."""
    if isinstance(value, dict):
        return value
    is_ours = type(value).__module__.partition(".")[0] in OURS and not callable(value)
    if is_ours and isinstance(value, msgspec.Struct):
        return _Fields(value)
    return vars(value) if is_ours and type(value).__dictoffset__ else None
