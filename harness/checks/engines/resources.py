"""Record how plugins share resources through the registry: who acquires, releases and reads them, and when.

Theory. During a drive, an object of the harness replaces the registry's store of resources. It counts by key and clones
as the registry does, and notes each acquire and release. It can be set to hand out another resource or none, or to
report that a last release succeeded. Reads of resources are seen in their classes; what a resource reads of itself does
not count.
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
    """One acquire or release.

    Attributes:
        verb: ``acquire`` or ``release``.
        key: The key; None where the plugin gave none.
        offered: The resource that was offered to ``acquire``; None where the plugin gave none.
        given: What ``acquire`` returned.
        counted: Whether it changed how often the key is in use.
        during: The callback that made it.
    """

    verb: str
    key: str | None
    offered: Any
    given: Any
    counted: bool
    during: str


class Reading(msgspec.Struct, frozen=True):
    """A plugin read an attribute of a resource.

    Attributes:
        of: ``offered``, ``shared`` or ``released``.
        attribute: The attribute's name.
        during: The callback that read it.
    """

    of: str
    attribute: str
    during: str


class Register(SharedResources):
    """Keeps a registry's resources, and notes what is asked of it.

    ``make`` returns the object to be shared where a resource is offered under a key, by default its clone. With
    ``refuse`` no resource is ever given. With ``succeed`` a last release reports success, which the bindings never do.
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
        """Give the resource of a key as the registry does."""
        given, self._key = None, key or ""
        try:
            if not self._refuse:
                given = super().acquire(gate, key, resource)
        finally:
            self.claims.append(Claim("acquire", key, resource, given, given is not None, self.during))
        if resource is not None and resource is not given:
            self._watch(resource, "offered")
        if given is not None:
            self._watch(given, "shared")
        return given

    def release(self, gate: Gate, key: str | None) -> int:
        """Take back one claim as the registry does."""
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
        """Return, by key, how many more claims were acquired than released; releases of nothing count too."""
        found: dict[str, int] = {}
        for claim in self.claims:
            change = 1 if claim.verb == "acquire" and claim.counted else -1 if claim.verb == "release" else 0
            found[claim.key or ""] = found.get(claim.key or "", 0) + change
        return found

    def templates(self) -> dict[str, Any]:
        """Return one of the resources that were offered under each key."""
        return {each.key or "": each.offered for each in self.claims if each.offered is not None}

    def before(self, event: Event) -> None:
        """Note which callback runs."""
        if not _is_resource(event.receiver):
            self.during = f"{event.target}.{event.method}"

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Do nothing: until the next callback, every access counts as a part of this callback."""

    def forget(self) -> None:
        """Give the classes of the resources back as they were."""
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
    """A plugin's whole life, and what it did with shared resources in it.

    Attributes:
        register: What it acquired and released.
        driver: A driver for an object with another life, to compare runs with.
        runs: What it computed in each context; fewer than there are contexts where an object could not be attached.
        failures: Every callback that failed.
        mishap: The failure that ended it early.
    """

    register: Register
    driver: Driver
    runs: list[Run] = msgspec.field(default_factory=list)
    failures: list[Failure] = msgspec.field(default_factory=list)
    mishap: CallbackFailure | None = None

    def insist(self) -> Life:
        """Return a life in which nothing failed but what the rule asks for.

        Raises:
            CallbackFailedError: A callback failed that the drive needs.
        """
        if self.mishap is not None:
            raise CallbackFailedError(self.mishap)
        return self


def whole_life(subject: Subject, register: Register | None = None) -> Life:
    """Drive a new plugin through a build, an engine and three contexts to the end of all of them.

    Raises:
        NotApplicable: It shares nothing through the registry.
        CallbackFailedError: A callback failed before it came to share anything.
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
    """Let ``register`` keep what is shared through the registry of the process within."""
    held = instruments.state(subject.trt.get_plugin_registry())
    before, held["_shared"] = held["_shared"], register
    try:
        with observing(subject.gate, register):
            yield register
    finally:
        held["_shared"] = before
        register.forget()


def copy_of(subject: Subject, resource: Any) -> Any:
    """Return what the registry gets when it clones a resource; None where that fails."""
    return resources.clone(subject.gate, resource)


def let_go(subject: Subject, resource: Any) -> None:
    """Have a clone release what it holds, as the registry does in the end."""
    resources.release(subject.gate, resource)


def _rehearse(subject: Subject) -> None:
    """Run the plugin once, so that the rule does not create objects later that are never destroyed."""
    if "rehearsed" not in subject.memory:
        subject.memory["rehearsed"] = True
        with contextlib.suppress(CallbackFailedError):
            fresh_driver(subject).run(best_shapes(subject.case), conditions=LENIENT)


def _live(life: Life) -> None:
    """Build, load, attach, run and destroy; what fails ends the life early, but never its end."""
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
        life.mishap = error.mishap
    for plugin in owned:
        subject.caller.destroy(subject.gate, plugin)


def _put_back(cls: type, name: str, own: Any) -> None:
    """Give a class its own method back, or none where it inherited that."""
    if own is None:
        delattr(cls, name)
    else:
        setattr(cls, name, own)


def _is_resource(target: Any) -> bool:
    return isinstance(target, IPluginResource)


def _is_foreign(frame: Any) -> bool:
    """Return whether a frame is neither in our packages nor in a method of a resource."""
    if str(frame.f_globals.get("__name__", "")).partition(".")[0] in _OURS:
        return False
    code = frame.f_code
    return not (code.co_argcount and _is_resource(frame.f_locals.get(code.co_varnames[0])))
