"""Define the subject of rules: the plugin under test on one case, with functions that create plugin objects."""

from __future__ import annotations

import dataclasses
import threading
from typing import TYPE_CHECKING, Any, Final, TypeVar

from harness.contract.finding import CallbackFailedError
from harness.contract.interface import Interface
from harness.contract.language import Language
from harness.contract.thoroughness import Thoroughness
from harness.subject.callers import caller_of
from harness.subject.callers.decorated import DecoratedCaller
from harness.subject.calling import (
    callback_failure_of,
    insist_on_a_new_object,
    leniently,
    stop_for_want_of_a_gpu,
    strictly,
)
from harness.subject.fields import FieldValue, case_fields, lend
from harness.subject.switches import insist_on_what_runs
from reference_runtime import levels
from reference_runtime.values.descriptions import Bounds, Description
from reference_runtime.values.enums import TensorFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from types import ModuleType

    from harness.cases.case import Case
    from harness.protocol.messages import ChildTask
    from harness.subject.callers.caller import Caller
    from reference_runtime.calling.gate.gate import Failure, Gate
    from reference_runtime.devices.host import HostDevice

    T = TypeVar("T")


@dataclasses.dataclass(frozen=True)
class Registration:
    """One call of ``register_creator`` that the module made while it was imported."""

    creator: Any
    namespace: str
    accepted: bool


@dataclasses.dataclass(frozen=True)
class PluginOrigin:
    """The origin of a plugin: its module, and the creators and registrations of the import.

    Attributes:
        module: Its dotted name.
        file: Its source file.
        creators: Every creator found, in the order of discovery.
        registrations: Every call of ``register_creator``, refused ones included.
        registered: Whether the module itself has registered the subject's creator.
        siblings: All cases of the same plugin.
    """

    module: str
    file: str
    creators: tuple[Any, ...]
    registrations: tuple[Registration, ...]
    registered: bool
    siblings: tuple[Case, ...]


#: The value in `Facts` for a question that no rule has asked yet.
_UNKNOWN: Final = object()


class Facts(dict["Hashable", Any]):
    """Answers of new plugin objects to questions, as plain data, which the rules of a process share.

    A rule asks a question only if no rule before it has asked. So observers of a single rule ignore calls while
    :attr:`is_asking` is true.
    """

    def __init__(self, known: Mapping[Hashable, Any] | None = None) -> None:
        super().__init__(known or {})
        self._asking: list[int] = []

    @property
    def is_asking(self) -> bool:
        """Return whether this thread is computing a fact that is not yet stored."""
        return threading.get_ident() in self._asking

    def get_or_ask(self, key: Hashable, ask: Callable[[], Any]) -> Any:
        """Return the stored answer; if there is none, ask, and store the answer."""
        answer = self.get(key, _UNKNOWN)
        if answer is _UNKNOWN:
            thread = threading.get_ident()
            self._asking.append(thread)
            try:
                self[key] = answer = ask()
            finally:
                self._asking.remove(thread)
        return answer


@dataclasses.dataclass(frozen=True)
class Subject:
    """The plugin under test on one case.

    Rules take objects from :meth:`create`, never keep state, and name TensorRT's types through :attr:`trt`.

    Attributes:
        trt: The module ``tensorrt``.
        creator: The plugin's creator.
        case: The case.
        origin: The module of the plugin, with the creators and registrations of its import.
        gate: All calls of the plugin go through it.
        device: The device on which ``enqueue`` runs.
        seed: The seed of the request.
        level: The run's level. Rules that look further at level 10 read it, usually through :meth:`sampled`.
        interface: The plugin's interface.
        compiled: Whether a decorated plugin that can run in Python is compiled ahead of time instead.
        memory: Results that checks keep for this request and case, see :meth:`once`.
        facts: Answers of new objects that the rules of a process share, see :meth:`known`.
        variants: How the case was derived from the requested case; empty for the requested case itself.
        task: The request and settings from which another process can make the same subject; None outside a child.
    """

    trt: ModuleType
    creator: Any
    case: Case
    origin: PluginOrigin
    gate: Gate
    device: HostDevice
    seed: int = 0
    level: int = Thoroughness.DEFAULT.number
    interface: Interface = Interface.V2_DYNAMIC
    compiled: bool = False
    memory: dict[Hashable, Any] = dataclasses.field(default_factory=dict, repr=False, compare=False)
    facts: Facts = dataclasses.field(default_factory=Facts, repr=False, compare=False)
    variants: tuple[Hashable, ...] = ()
    task: ChildTask | None = None

    @property
    def caller(self) -> Caller:
        """Return the caller that takes plugins of the subject's interface through their life."""
        if self.interface is Interface.DECORATED:
            inputs = self.case.data_inputs
            types = (self.data_type(entry.types[0]) for entry in inputs)
            return DecoratedCaller(
                tuple(
                    Bounds(Description(entry.network_dims, kind, TensorFormat.LINEAR), *entry.profile)
                    for entry, kind in zip(inputs, types, strict=True)
                ),
                compiled=self.compiled,
            )
        return caller_of(self.interface)

    @property
    def language(self) -> Language:
        """Return the language in which the plugin is written; creators of a library have it as an attribute."""
        return Language(getattr(type(self.creator), "__written_in__", Language.PYTHON.value))

    @property
    def spec(self) -> str:
        """Return the API level that the plugin is certified against."""
        return self.case.spec or levels.applied()

    @property
    def fields(self) -> list[FieldValue]:
        """Return the case's field values in the case's order, with the types that the creator advertises."""
        return case_fields(self.trt, self.creator, self.case)

    def sampled(self, number: int) -> int:
        """Return the number of samples to take: ``number``, and four times as many at level 10."""
        return number * 4 if self.level >= Thoroughness.EXHAUSTIVE.number else number

    def with_case(self, case: Case, *, variant: Hashable = None) -> Subject:
        """Return the same plugin on another case.

        ``variant`` identifies how that case is derived from this case. Then other rules that derive the same case share
        the facts about it. Without ``variant``, no rule shares them.
        """
        facts, variants = (Facts(), ()) if variant is None else (self.facts, (*self.variants, variant))
        return dataclasses.replace(self, case=case, memory={}, facts=facts, variants=variants)

    def once(self, key: Hashable, find: Callable[[], T]) -> T:
        """Return the result of ``find``; later calls with the same key return it without calling ``find``."""
        if key not in self.memory:
            self.memory[key] = find()
        result: T = self.memory[key]
        return result

    def known(self, question: Hashable, ask: Callable[[], T]) -> T:
        """Return a new object's answer to a question; ``ask`` is called if no rule of this process has asked.

        Other rules use the same answer. So it is plain data, must not be changed, and holds no object of the plugin. If
        a rule judges whether or how often a callback is called, it calls the callback itself.
        """
        answer: T = self.facts.get_or_ask((self.compiled, self.variants, question), ask)
        return answer

    def create(self, name: str = "plugin", fields: Sequence[FieldValue] | None = None) -> Any:
        """Return a new plugin that the creator makes from the case's fields, or from ``fields``.

        Raises:
            CallbackFailedError: ``create_plugin`` raised, or returned no plugin, or one that it had returned before.
            NotRun: A function of the module would define the plugin's ``impl``, and the import does not call it.
        """
        insist_on_what_runs(self.creator)
        with strictly(self.gate), lend(self.trt, self.fields if fields is None else fields) as collection:
            plugin = self.caller.create(self.gate, self.creator, name, collection)
        insist_on_a_new_object(self.gate, plugin, "create_plugin")
        return plugin

    def try_create(self, fields: Sequence[FieldValue]) -> tuple[Any, Failure | None]:
        """Return the plugin that ``create_plugin`` makes from the fields, or None, and the first failure, or None.

        A creator may refuse fields, so neither result is a violation by itself.
        """
        with leniently(self.gate) as failures, lend(self.trt, fields) as collection:
            plugin = self.caller.create(self.gate, self.creator, "plugin", collection)
        return plugin, failures[0] if failures else None

    def serialize(self, plugin: Any) -> Any:
        """Return the plugin's serialized form, as TensorRT would store it.

        Raises:
            CallbackFailedError: A callback that serializes the plugin failed.
        """
        with strictly(self.gate):
            return self.try_serialize(plugin)

    def try_serialize(self, plugin: Any) -> Any:
        """Return what TensorRT stores for the plugin; the gate records failures."""
        return self.caller.save(self.gate, plugin)

    def try_deserialize(self, data: Any) -> Any:
        """Return the plugin that the creator makes of serialized data, or None if it refuses them."""
        return self.caller.restore(self.gate, self.creator, "plugin", data)

    def deserialize(self, data: Any, name: str = "plugin") -> Any:
        """Return the plugin that the creator makes of serialized data.

        Raises:
            CallbackFailedError: The callback raised, or returned no plugin, or a plugin that it had returned before.
        """
        restoring = self.caller.words.restoring
        with leniently(self.gate) as failures:
            plugin = self.caller.restore(self.gate, self.creator, name, data)
        if failures:
            stop_for_want_of_a_gpu(failures[0])
            raise CallbackFailedError(dataclasses.replace(callback_failure_of(failures[0]), callback=restoring))
        insist_on_a_new_object(self.gate, plugin, restoring)
        return plugin

    def clone(self, plugin: Any) -> Any:
        """Return a clone of the plugin.

        Raises:
            CallbackFailedError: ``clone`` raised or returned no plugin.
        """
        with strictly(self.gate):
            return self.caller.clone(self.gate, plugin)

    def data_type(self, type_name: str) -> Any:
        """Return the ``DataType`` that a case's type name means."""
        return getattr(self.trt.DataType, _DATA_TYPES[type_name])

    @property
    def real_types(self) -> frozenset[Any]:
        """Return the types that represent real numbers, as far as the API level has them."""
        return frozenset(self.data_type(name) for name in ("float32", "float16", "int8")) | frozenset(
            kind for name, kind in self.trt.DataType.__members__.items() if name == "BF16"
        )

    def type_name(self, data_type: Any) -> str:
        """Return a case's name for a ``DataType``; TensorRT's name if cases have none."""
        name = str(data_type.name)
        return _TYPE_NAMES.get(name, name)


_DATA_TYPES = {
    "float32": "FLOAT",
    "float16": "HALF",
    "bfloat16": "BF16",
    "int8": "INT8",
    "int32": "INT32",
    "int64": "INT64",
    "uint8": "UINT8",
    "bool": "BOOL",
}
_TYPE_NAMES = {name: key for key, name in _DATA_TYPES.items()}


def case_type(name: str) -> str | None:
    """Return a case's name for the ``DataType`` with this name; None if cases have none."""
    return _TYPE_NAMES.get(name)
