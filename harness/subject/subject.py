"""Hold the plugin under test on one case, as rules see it: creator, case, and functions that create objects."""

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
from harness.subject.calling import insist_on_a_new_object, leniently, mishap_of, stop_for_want_of_a_gpu, strictly
from harness.subject.fields import FieldValue, case_fields, lend
from harness.subject.switches import insist_on_what_runs
from reference_runtime import levels
from reference_runtime.values.descriptions import Bounds, Description
from reference_runtime.values.enums import TensorFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from types import ModuleType

    import numpy as np

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
        registered: Whether the creator of the subject was registered by the module itself.
        siblings: All cases of the same plugin.
    """

    module: str
    file: str
    creators: tuple[Any, ...]
    registrations: tuple[Registration, ...]
    registered: bool
    siblings: tuple[Case, ...]


#: What `Facts` know of a question that was never put.
_UNKNOWN: Final = object()


class Facts(dict["Hashable", Any]):
    """Answers of new objects, as plain data, that the rules of a process share.

    Whether a question is put depends on the rules before; so who watches what one rule does looks away meanwhile.
    """

    def __init__(self, known: Mapping[Hashable, Any] | None = None) -> None:
        super().__init__(known or {})
        self._asking: list[int] = []

    @property
    def is_asking(self) -> bool:
        """Return whether this thread is computing a fact that is not yet stored."""
        return threading.get_ident() in self._asking

    def found(self, key: Hashable, ask: Callable[[], Any]) -> Any:
        """Return what is known, or else ask for it."""
        known = self.get(key, _UNKNOWN)
        if known is _UNKNOWN:
            thread = threading.get_ident()
            self._asking.append(thread)
            try:
                self[key] = known = ask()
            finally:
                self._asking.remove(thread)
        return known


@dataclasses.dataclass(frozen=True)
class Subject:
    """The plugin under test on one case.

    Rules take objects from :meth:`create`, never keep state, and name TensorRT's types through :attr:`trt`. ``memory``
    holds facts about the plugin on this case that checks need not ask again. ``facts`` is the part of it that the rules
    of a process share: answers of new objects, as plain data. ``variants`` says how the case was derived from the
    requested case. ``level`` is the run's level. A rule that looks further at level 10 reads it, usually through
    :meth:`sampled`. ``compiled`` wants a decorated plugin to be compiled ahead of time where it can run in Python, too.
    ``task`` is what another process needs to look at the same subject; None where no child made it.
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
        """The API level that the plugin is certified against."""
        return self.case.spec or levels.applied()

    @property
    def fields(self) -> list[FieldValue]:
        """The case's field values, in the case's order, typed as the creator advertises them."""
        return case_fields(self.trt, self.creator, self.case)

    def sampled(self, number: int) -> int:
        """Return how many samples to take where ``number`` are enough at level 5: four times as many at level 10."""
        return number * 4 if self.level >= Thoroughness.EXHAUSTIVE.number else number

    def with_case(self, case: Case, *, variant: Hashable = None) -> Subject:
        """Return the same plugin on another case; ``variant`` says how this case leads to it, if it does.

        Then what is known of it is kept beside what is known on this case.
        """
        facts, variants = (Facts(), ()) if variant is None else (self.facts, (*self.variants, variant))
        return dataclasses.replace(self, case=case, memory={}, facts=facts, variants=variants)

    def once(self, key: Hashable, find: Callable[[], T]) -> T:
        """Return what ``find`` found when this rule first asked for it under this key; it is not asked again."""
        if key not in self.memory:
            self.memory[key] = find()
        found: T = self.memory[key]
        return found

    def known(self, question: Hashable, ask: Callable[[], T]) -> T:
        """Return what a new object of the plugin answers; ``ask`` puts the question where no rule has put it yet.

        Other rules in this process take the answer from here. So it is plain data, must not be changed, and holds no
        object of the plugin. A rule for which it matters that something is called, or how often, asks by itself.
        """
        found: T = self.facts.found((self.compiled, self.variants, question), ask)
        return found

    def create(self, name: str = "plugin", fields: Sequence[FieldValue] | None = None) -> Any:
        """Return a fresh plugin made by the creator from the case's fields, or from ``fields``.

        Raises:
            CallbackFailedError: ``create_plugin`` raised, or returned no plugin or no fresh one.
            NotRun: A function of the module would define the plugin's ``impl``, and the import does not call it.
        """
        insist_on_what_runs(self.creator)
        with strictly(self.gate), lend(self.trt, self.fields if fields is None else fields) as collection:
            plugin = self.caller.create(self.gate, self.creator, name, collection)
        insist_on_a_new_object(self.gate, plugin, "create_plugin")
        return plugin

    def try_create(
        self,
        fields: Sequence[FieldValue],
        creator: Any = None,
        *,
        read_through: type[np.ndarray[Any, Any]] | None = None,
    ) -> tuple[Any, Failure | None]:
        """Return what ``create_plugin`` makes of the fields, or None and how it refused: both are its right."""
        with leniently(self.gate) as failures, lend(self.trt, fields, read_through=read_through) as collection:
            plugin = self.caller.create(self.gate, creator or self.creator, "plugin", collection)
        return plugin, failures[0] if failures else None

    def serialize(self, plugin: Any) -> Any:
        """Return the plugin's serialized form, as TensorRT would store it.

        Raises:
            CallbackFailedError: ``serialize`` or ``get_serialization_size`` failed.
        """
        with strictly(self.gate):
            return self.try_serialize(plugin)

    def try_serialize(self, plugin: Any) -> Any:
        """Return what TensorRT stores for the plugin; the gate records failures."""
        return self.caller.save(self.gate, plugin)

    def try_deserialize(self, data: Any) -> Any:
        """Return what ``deserialize_plugin`` makes of the data, or None where it refuses them."""
        return self.caller.restore(self.gate, self.creator, "plugin", data)

    def deserialize(self, data: Any, name: str = "plugin") -> Any:
        """Return the plugin that the creator makes of serialized data.

        Raises:
            CallbackFailedError: ``deserialize_plugin`` raised, or returned no plugin or no fresh one.
        """
        restoring = self.caller.words.restoring
        with leniently(self.gate) as failures:
            plugin = self.caller.restore(self.gate, self.creator, name, data)
        if failures:
            stop_for_want_of_a_gpu(failures[0])
            raise CallbackFailedError(dataclasses.replace(mishap_of(failures[0]), callback=restoring))
        insist_on_a_new_object(self.gate, plugin, restoring)
        return plugin

    def clone(self, plugin: Any) -> Any:
        """Return a clone of the plugin.

        Raises:
            CallbackFailedError: ``clone`` raised or returned no plugin.
        """
        with strictly(self.gate):
            return self.caller.clone(self.gate, plugin)

    def fresh_creator(self) -> Any:
        """Return a new instance of the creator's class, or None if it cannot be made without arguments."""
        try:
            return type(self.creator)()
        except Exception:  # noqa: BLE001 - a constructor that wants more than it gets may raise anything
            return None

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
        """Return the case's name of a ``DataType``; TensorRT's own where a case has none."""
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
    """Return the case's name of a ``DataType`` by its name; None where a case has none."""
    return _TYPE_NAMES.get(name)
