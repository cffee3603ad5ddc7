"""Record a gate's knowledge of each object: its name, its stage, its owner, and the plugin that contains it.

A plugin of version 3 may consist of several objects. The stage is that of the whole plugin. Several plugins may have
returned one part. A call to the part then counts for each plugin in whose stage it is legal.

The gate refers to an object weakly, unless TensorRT owns the object or never releases it. So the gate keeps no object
alive that TensorRT would not. The exceptions are objects of a class that allows no weak references.
"""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING

from msgspec import Struct, field

from reference_runtime.calling.lifecycle import table as lifecycle
from reference_runtime.calling.lifecycle.table import V2, Call, LifecycleError, Stage, Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.calling.gate.records import Phase


class Owned(Struct):
    """An object that TensorRT owns: held until its release, with the record of its life.

    ``claims`` counts the owners: more than one if a ``clone`` returned an object that was owned already. The object
    gets one ``destroy``, when the last owner releases it. If ``destroy`` raised, ``target`` stays, because the bindings
    then never release the object.
    """

    target: object | None
    name: str
    born: Call
    parent: str
    phase: Phase
    claims: int = 1
    destroyed: bool = False


class _Life(Struct):
    """A gate's knowledge of one object."""

    ref: Callable[[], object | None]
    name: str
    stage: Stage = Stage.CREATED
    num_inputs: int = 0
    times_returned: int = 0
    owned: Owned | None = None
    wholes: list[Callable[[], object | None]] = field(default_factory=list)
    capabilities: set[int] = field(default_factory=set)


_MADE_BY_PLUGINS = (Call.CLONE, Call.ATTACH_TO_CONTEXT)


class Lives:
    """Keeps the stage, name and owner of each object that receives calls, by identity."""

    def __init__(self) -> None:
        self.owned: list[Owned] = []
        self._leaked: dict[int, object] = {}
        self._lives: dict[int, _Life] = {}
        self._named: dict[str, int] = {}
        self._lock = threading.RLock()

    def name_of(self, target: object) -> str:
        """Return an object's name in events: its class and its number among that class, in order of first call."""
        return self._life(target).name

    def stage_of(self, target: object) -> Stage:
        """Return an object's stage; a part has that of its whole."""
        return self._lives_of(target)[-1].stage

    def join(self, whole: object, part: object, kind: int) -> None:
        """Record that ``part`` is a capability of ``whole``: a call on the part counts for the whole."""
        life = self._life(whole)
        life.capabilities.add(kind)
        if part is whole:
            return
        known = self._life(part).wholes
        known[:] = [one for one in known if one() is not None and one() is not whole]
        known.append(life.ref)

    def has_returned(self, whole: object, kind: int) -> bool:
        """Return whether the object has once returned a capability of this kind."""
        return kind in self._life(whole).capabilities

    def leak(self, target: object) -> None:
        """Keep an object for ever, as the bindings do with objects that they never release."""
        self._leaked[id(target)] = target

    def check(self, target: object, call: Call, table: Table = V2) -> None:
        """Raise `LifecycleError` if ``call`` is illegal; change nothing."""
        self._next(target, call, table)

    def advance(self, target: object, call: Call, table: Table = V2) -> None:
        """Move an object to the stage that follows ``call``; an illegal call raises and changes nothing."""
        for life, stage in self._next(target, call, table):
            life.stage = stage

    def _next(self, target: object, call: Call, table: Table) -> list[tuple[_Life, Stage]]:
        """Return the lives that a legal call moves, and their next stages."""
        own = self._life(target)
        if not own.wholes:  # nearly every object
            return [(own, lifecycle.step(own.stage, call, table))]
        lives = self._lives_of(target)
        legal = [(life, table.next[life.stage][call]) for life in lives if call in table.next.get(life.stage, ())]
        if not legal:
            raise LifecycleError(lives[-1].stage, call, table)
        return legal

    def _lives_of(self, target: object) -> list[_Life]:
        """Return the lives that a call on an object belongs to: its own, or those of plugins that contain it."""
        life = self._life(target)
        if not life.wholes:
            return [life]
        wholes = [whole for whole in (ref() for ref in life.wholes) if whole is not None]
        return [self._life(whole) for whole in wholes] or [life]

    def configured_inputs(self, target: object) -> int:
        """Return the number of inputs in the last ``configure_plugin`` on this very object: the bindings' count."""
        return self._life(target).num_inputs

    def count_inputs(self, target: object, number: int) -> None:
        """Remember the number of inputs in a ``configure_plugin``."""
        self._life(target).num_inputs = number

    def count_return(self, target: object) -> None:
        """Count that a callback returned an object as newly made."""
        self._life(target).times_returned += 1

    def is_handed_out_again(self, target: object) -> bool:
        """Say whether callbacks have returned an object as newly made more than once."""
        return self._life(target).times_returned > 1

    def claim(self, parent: object | None, child: object, call: Call, phase: Phase, table: Table) -> None:
        """Let TensorRT own ``child``, which ``call`` on ``parent`` (a plugin or creator) returned.

        If ``child`` is owned already, because a plugin returned itself or one object twice, it gets one more claim.
        """
        stage = self._birth(parent, call, table)
        life = self._life(child)
        if life.owned is not None and not life.owned.destroyed:
            life.owned.claims += 1
            if life.stage is Stage.LOADED:  # an engine's object that attached itself to a context
                life.stage = stage
            return
        life.stage = stage
        life.num_inputs = 0
        life.owned = Owned(child, life.name, call, self.name_of(parent), phase)
        self.owned.append(life.owned)

    def _birth(self, parent: object | None, call: Call, table: Table) -> Stage:
        """Return the stage of a new object that ``call`` makes; of several parents, one whose stage allows the call."""
        stages: list[Stage | None] = [None]
        if call in _MADE_BY_PLUGINS:
            stages = [life.stage for life in self._lives_of(parent)]
        born = [stage for stage in stages if stage in table.born.get(call, ())]
        return lifecycle.birth(call, (born or stages)[-1], table)

    def let_go(self, target: object) -> bool:
        """Release one claim on an object; return whether it was the last, so that ``destroy`` is due."""
        owned = self._life(target).owned
        if owned is None or owned.destroyed:
            return True
        owned.claims -= 1
        return owned.claims == 0

    def disown(self, target: object, *, released: bool) -> None:
        """Record that an owned object got its ``destroy``, and drop it if it was ``released``."""
        owned = self._life(target).owned
        if owned is not None:
            owned.destroyed = True
            owned.target = None if released else target

    def _life(self, target: object) -> _Life:
        life = self._lives.get(id(target))
        if life is not None and life.ref() is target:
            return life
        with self._lock:
            life = self._lives.get(id(target))
            if life is None or life.ref() is not target:
                kind = type(target).__name__
                self._named[kind] = self._named.get(kind, 0) + 1
                life = self._lives[id(target)] = _Life(self._refer(target), f"{kind}#{self._named[kind]}")
            return life

    def _refer(self, target: object) -> Callable[[], object | None]:
        lives, key = self._lives, id(target)

        def forget(ref: object) -> None:
            if key in lives and lives[key].ref is ref:
                del lives[key]

        try:
            return weakref.ref(target, forget)
        except TypeError:  # a class with __slots__ and without __weakref__
            return lambda: target
