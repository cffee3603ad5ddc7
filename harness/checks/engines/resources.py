"""Record how plugins share resources through the registry: which callbacks acquire, release and read them.

Theory. During a life, a :class:`Register` replaces the registry's store of resources. It counts uses of a key and
clones resources as the registry does, and records each acquire and release. It can also return another resource or
none, or report success for a last release. To record reads, the resources' classes get another ``__getattribute__``.
Reads by a resource's own methods do not count.
"""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from harness.checks.observation.watching import observing
from harness.checks.running.driver import Driver, fresh_driver
from harness.checks.running.single_run import LENIENT
from harness.checks.sampling.sampling import best_shapes
from harness.contract.finding import CallbackFailedError, CallbackFailure, NotApplicable
from harness.contract.own_names import own as own_name
from harness.subject.calling import leniently, stop_for_want_of_a_gpu
from reference_runtime import instruments
from reference_runtime.calling.trampolines import resources
from reference_runtime.interfaces.resources import IPluginResource
from reference_runtime.registry.shared_resources import SharedResources

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.checks.running.driver import Run
    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import CallOutcome, Event, Gate
    from reference_runtime.calling.gate.gate import Failure as Failure  # noqa: PLC0414 - rules name its type

    Make = Callable[[str, Any], Any]

_OURS = ("reference_runtime", own_name("harness"), own_name("conformance"))


class Claim(msgspec.Struct, frozen=True):
    """One call of ``acquire_plugin_resource`` or ``release_plugin_resource``.

    Attributes:
        verb: ``acquire`` or ``release``.
        key: The key; None if the plugin passed None.
        offered: The resource that the plugin passed to ``acquire``, or None.
        acquired: The resource that ``acquire`` returned, or None.
        counted: Whether the call changed the number of uses of the key.
        during: The callback that made the call.
    """

    verb: str
    key: str | None
    offered: Any
    acquired: Any
    counted: bool
    during: str


class Reading(msgspec.Struct, frozen=True):
    """One read of an attribute of a resource by a plugin.

    Attributes:
        of: The kind of the resource: ``offered``, ``shared`` or ``released``.
        attribute: The attribute's name.
        during: The callback that read it.
    """

    of: str
    attribute: str
    during: str


class Register(SharedResources):
    """A store of a registry's resources that records its use.

    ``make`` returns the object to share for a key and an offered resource, by default the resource's clone. With
    ``refuse``, ``acquire`` always returns None. With ``succeed``, each release reports success. The bindings do not
    report it for a last release.
    """

    def __init__(self, make: Make | None = None, *, refuse: bool = False, succeed: bool = False) -> None:
        super().__init__()
        self.claims: list[Claim] = []
        self.readings: list[Reading] = []
        self.during = "no callback"
        self._key = ""
        self._make = make
        self._refuse = refuse
        self._succeed = succeed
        self._kinds: dict[int, tuple[Any, str]] = {}
        self._watched: dict[type, Any] = {}

    def acquire(self, gate: Gate, key: str | None, resource: Any) -> Any:
        """Return the resource of a key as the registry does, and record the call."""
        acquired, self._key = None, key or ""
        try:
            if not self._refuse:
                acquired = super().acquire(gate, key, resource)
        finally:
            self.claims.append(Claim("acquire", key, resource, acquired, acquired is not None, self.during))
        if resource is not None and resource is not acquired:
            self._watch(resource, "offered")
        if acquired is not None:
            self._watch(acquired, "shared")
        return acquired

    def release(self, gate: Gate, key: str | None) -> int:
        """Release a use of a key as the registry does, and record the call."""
        before, entry, status = self.users(key or ""), self._entries.get(key or ""), None
        resource = None if entry is None else entry.resource
        try:
            status = super().release(gate, key)
        finally:
            counted = self.users(key or "") < before
            self.claims.append(Claim("release", key, None, None, counted, self.during))
        if resource is not None and not self.users(key or ""):
            self._watch(resource, "released")
        return 0 if self._succeed else status

    def balance(self) -> dict[str, int]:
        """Return the number of successful acquires minus the number of all releases, by key."""
        balance: dict[str, int] = {}
        for claim in self.claims:
            change = 1 if claim.verb == "acquire" and claim.counted else -1 if claim.verb == "release" else 0
            balance[claim.key or ""] = balance.get(claim.key or "", 0) + change
        return balance

    def templates(self) -> dict[str, Any]:
        """Return the resource that was offered last under each key."""
        return {each.key or "": each.offered for each in self.claims if each.offered is not None}

    def before(self, event: Event) -> None:
        """Record which callback runs, unless it is a resource's."""
        if not _is_resource(event.receiver):
            self.during = f"{event.target}.{event.method}"

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Do nothing: until the next callback, every access counts as a part of this callback."""

    def forget(self) -> None:
        """Restore the classes of the resources."""
        for cls, own in self._watched.items():
            _put_back(cls, "__getattribute__", own)
        self._watched.clear()

    def _clone(self, gate: Gate, resource: Any) -> Any:
        return super()._clone(gate, resource) if self._make is None else self._make(self._key, resource)

    def _watch(self, resource: Any, kind: str) -> None:
        self._kinds[id(resource)] = (resource, kind)
        cls = type(resource)
        if cls in self._watched or instruments.is_bound(cls):
            return
        ask: Any = cls.__getattribute__
        self._watched[cls] = vars(cls).get("__getattribute__")

        def seen(self_: Any, name: str) -> Any:
            known = self._kinds.get(id(self_))
            if known is not None and _is_foreign(sys._getframe(1)):  # noqa: SLF001 - who reads is the question
                self.readings.append(Reading(known[1], name, self.during))
            return ask(self_, name)

        cls.__getattribute__ = seen  # type: ignore[assignment]


class Life(msgspec.Struct):
    """The record of a plugin's whole life and of its use of shared resources.

    Attributes:
        register: The record of acquires, releases and reads.
        driver: A driver of another object, to compare runs with.
        runs: The run in each of three contexts; fewer if a callback failed before.
        failures: Every failure of a callback.
        fatal_failure: The failure that ended the life early, or None.
    """

    register: Register
    driver: Driver
    runs: list[Run] = msgspec.field(default_factory=list)
    failures: list[Failure] = msgspec.field(default_factory=list)
    fatal_failure: CallbackFailure | None = None

    def insist(self) -> Life:
        """Return this record, for rules that need a complete life.

        Raises:
            CallbackFailedError: A failure ended the life early.
        """
        if self.fatal_failure is not None:
            raise CallbackFailedError(self.fatal_failure)
        return self


def whole_life(subject: Subject, register: Register | None = None) -> Life:
    """Drive a new plugin through a build, an engine and three contexts, destroy all objects, and return the record.

    Raises:
        NotApplicable: The plugin acquires and releases no resource.
        CallbackFailedError: A callback failed before the plugin acquired a resource.
    """
    _rehearse(subject)
    life = Life(register or Register(), Driver(subject, subject.create()))
    with standing_in(subject, life.register), leniently(subject.gate) as failures:
        _live(life)
    life.failures = failures
    for failure in failures:
        stop_for_want_of_a_gpu(failure)
    if not life.register.claims:
        life.insist()
        raise NotApplicable("the plugin shares nothing through the registry")
    return life


@contextlib.contextmanager
def standing_in(subject: Subject, register: Register) -> Iterator[Register]:
    """Replace the store of resources of the process's registry by ``register`` in the block."""
    held = instruments.state(subject.trt.get_plugin_registry())
    before, held["_shared"] = held["_shared"], register
    try:
        with observing(subject.gate, register):
            yield register
    finally:
        held["_shared"] = before
        register.forget()


def copy_of(subject: Subject, resource: Any) -> Any:
    """Clone a resource as the registry does, and return the clone; None if that fails."""
    return resources.clone(subject.gate, resource)


def let_go(subject: Subject, resource: Any) -> None:
    """Release a clone of a resource as the registry does after its last use."""
    resources.release(subject.gate, resource)


def _rehearse(subject: Subject) -> None:
    """Run a plugin once before the lives. The facts that checks ask new objects for are then known."""
    if "rehearsed" not in subject.memory:
        subject.memory["rehearsed"] = True
        with contextlib.suppress(CallbackFailedError):
            fresh_driver(subject).run(best_shapes(subject.case), conditions=LENIENT)


def _live(life: Life) -> None:
    """Build, load, attach and run; then destroy all objects, even if a callback failed before."""
    subject = life.driver.subject
    shapes = best_shapes(subject.case)
    owned: list[Any] = []
    try:
        owned.append(subject.create())
        built = life.driver.of(owned[0]).configure_for_build()
        conditions = structs.replace(LENIENT, workspace=built.workspace_size(shapes))
        loaded = built.of(subject.deserialize(subject.serialize(built.plugin)))
        owned.insert(0, loaded.plugin)
        for source in (built, loaded, loaded):
            context = source.of(source.plugin).initialize()
            owned.insert(0, context.plugin)
            life.runs.append(context.run(shapes, conditions=conditions))
    except CallbackFailedError as error:
        life.fatal_failure = error.failure
    for plugin in owned:
        subject.caller.destroy(subject.gate, plugin)


def _put_back(cls: type, name: str, own: Any) -> None:
    """Restore a class's own method; ``own`` is None if the class inherited the method."""
    if own is None:
        delattr(cls, name)
    else:
        setattr(cls, name, own)


def _is_resource(target: Any) -> bool:
    return isinstance(target, IPluginResource)


def _is_foreign(frame: Any) -> bool:
    """Return whether a frame is neither in this project's packages nor in a method of a resource."""
    if str(frame.f_globals.get("__name__", "")).partition(".")[0] in _OURS:
        return False
    code = frame.f_code
    return not (code.co_argcount and _is_resource(frame.f_locals.get(code.co_varnames[0])))
