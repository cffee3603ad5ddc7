"""What is tried on every class, enumeration and member that the genuine bindings have, whatever it is.

Each battery is a generator of (item, function). It runs on both sides, so it asks the module what there is; the names
of the classes come with the request, so that a class that one side lacks shows as a difference.
"""

import copy
import gc
import pickle
import re
import weakref

import arguments
import numpy as np
import tensorrt as trt


class Anything:
    """An object that no parameter takes."""

    def __repr__(self):
        return "<anything>"


def found(path):
    """Return what a dotted name stands for."""
    value = trt
    for part in path.split("."):
        value = getattr(value, part)
    return value


def public(names):
    """Return the names that are no special methods; pybind11 keeps its own under one underscore."""
    return sorted(name for name in names if not name.startswith("_"))


def names():
    """Return the names of all classes and enumerations."""
    return [name for name in dir(trt) if isinstance(getattr(trt, name), type) and name[0].isupper()]


def enumeration(path):
    """What every enumeration and each of its members can do."""
    kind = found(path)
    members = list(kind.__members__.values())
    first, last = members[0], members[-1]
    yield "members", lambda: {name: int(value) for name, value in kind.__members__.items()}
    yield "order", lambda: list(kind.__members__)
    yield "names", lambda: public(dir(kind))
    yield "bases", lambda: [cls.__name__ for cls in kind.__mro__]
    for name, value in kind.__members__.items():
        yield f"{name} shown", lambda value=value: [repr(value), str(value), f"{value}", value.name, value.value]
        yield f"{name} kept", lambda value=value: [hash(value), int(value), value.__index__(), bool(value)]
        yield f"{name} pickled", lambda value=value: pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - ours
        yield f"{name} copied", lambda value=value: [copy.copy(value) == value, copy.deepcopy(value) is value]
    for wrong in (-1, 99, 2**32, 2**70, "x", None, 1.0, first, True, np.int32(0)):
        yield f"made from {wrong!r}", lambda wrong=wrong: kind(wrong)
    for sign, operate in OPERATIONS.items():
        for other in (first, last, int(last), 0.5, "x", None, trt.DataType.INT8, trt.TensorIOMode.OUTPUT):
            yield f"{first!r} {sign} {other!r}", lambda operate=operate, other=other: operate(first, other)
            yield f"{other!r} {sign} {last!r}", lambda operate=operate, other=other: operate(other, last)
    yield "unset name", lambda: hasattr(kind, "no_such_member")
    yield "assigned", lambda: setattr(first, "name", "x")
    yield "assigned value", lambda: setattr(first, "value", 1)
    yield "subclass", lambda: type("Sub", (kind,), {})(int(last))
    yield "called with nothing", kind
    yield "keyword", lambda: kind(value=int(last))


OPERATIONS = {
    "==": lambda one, other: one == other,
    "!=": lambda one, other: one != other,
    "<": lambda one, other: one < other,
    ">=": lambda one, other: one >= other,
    "|": lambda one, other: one | other,
    "&": lambda one, other: one & other,
    "^": lambda one, other: one ^ other,
    "<<": lambda one, other: one << other,
    "+": lambda one, other: one + other,
    "kept by": lambda one, other: [1 << int(one), [one].count(other), {one: 1}.get(other)],
}


def shape(name):
    """What a class is: bases, members and their kinds, and what can be done to it."""
    cls = found(name)
    yield "bases", lambda: [base.__name__ for base in cls.__mro__]
    yield "named", lambda: [cls.__name__, cls.__qualname__, cls.__module__, repr(cls), type(cls).__name__]
    yield "members", lambda: public(dir(cls))
    yield "special methods", lambda: sorted(SPECIAL & set(dir(cls)))
    yield "own members", lambda: public(vars(cls))
    yield "kinds", lambda: {member: kind_of(vars(cls)[member]) for member in public(vars(cls))}
    yield "hashable", lambda: cls.__hash__ is None
    yield "pickled", lambda: pickle.loads(pickle.dumps(cls)) is cls  # noqa: S301 - ours
    yield "copied", lambda: [copy.copy(cls) is cls, copy.deepcopy(cls) is cls]
    yield "new", lambda: cls.__new__(cls) is not None
    yield "unset", lambda: hasattr(cls, "no_such_member")
    yield "assigned to", lambda: [setattr(cls, "made_up", 1), cls.made_up, delattr(cls, "made_up")]
    yield "subclass", lambda: [base.__name__ for base in type(cls)("Sub", (cls,), {}).__mro__]
    yield "slots of a subclass", lambda: type(cls)("Sub", (cls,), {"__slots__": ()}).__name__
    yield (
        "two subclasses",
        lambda: type(cls)("Sub", (type(cls)("One", (cls,), {}), type(cls)("Two", (cls,), {})), {}).__name__,
    )
    yield "with a builtin", lambda: type(cls)("Sub", (cls, dict), {}).__name__
    yield "forgotten __init__", lambda: type(cls)("Sub", (cls,), {"__init__": lambda self: None})()
    for wrong in ((Anything(),), (Anything(),) * 9, (None,), ([],), (1, 2, 3, 4, 5)):
        yield f"made from {len(wrong)} {wrong[0]}", lambda wrong=wrong: cls(*wrong)
    yield "made with a keyword", lambda: cls(no_such_parameter=1)


SPECIAL = {
    "__add__", "__bool__", "__buffer__", "__call__", "__contains__", "__del__", "__delitem__", "__enter__", "__eq__",
    "__exit__", "__float__", "__getitem__", "__hash__", "__index__", "__int__", "__iter__", "__len__", "__mul__",
    "__ne__", "__next__", "__radd__", "__repr__", "__setitem__", "__str__", "__sub__",
}  # fmt: skip


def kind_of(member):
    """Return what a class's attribute is."""
    if isinstance(member, property):
        return "property" if member.fset is None else "writable property"
    if isinstance(member, type):
        return "class"
    if isinstance(member, (staticmethod, classmethod)):
        return type(member).__name__
    return "method" if callable(member) else type(member).__name__


def signatures(name):
    """What each method says of a call that it does not take: its signatures, word by word."""
    cls = found(name)
    for member in sorted({*public(vars(cls)), *(SPECIAL & set(vars(cls)))}):
        if kind_of(vars(cls)[member]) == "method" and member not in {"__enter__", "__exit__", "__del__", "__hash__"}:
            yield member, lambda member=member: getattr(cls, member)(*[Anything()] * 12)
            yield f"{member} of nothing", lambda member=member: getattr(cls, member)()
            yield f"{member} with a keyword", lambda member=member: getattr(cls, member)(Anything(), no_such=Anything())
            yield f"{member} shown", lambda member=member: getattr(cls, member).__name__


def life(name):
    """What an object is that was made without arguments, and a subclass's."""
    cls = found(name)
    for made, kind in ((cls, "itself"), (type(cls)("Sub", (cls,), {}), "a subclass")):
        yield f"{kind}: made", lambda made=made: made() is not None
        yield f"{kind}: shown", lambda made=made: [re.sub("0x.*", "", repr(made())), re.sub("0x.*", "", str(made()))]
        yield f"{kind}: names", lambda made=made: public(dir(made()))
        yield f"{kind}: dictionary", lambda made=made: made().__dict__
        yield f"{kind}: hash", lambda made=made: hash(made()) is not None
        yield f"{kind}: compared", lambda made=made: [made() == made(), made() != 1, made() == None]  # noqa: E711
        yield f"{kind}: ordered", lambda made=made: made() < made()
        yield f"{kind}: truth", lambda made=made: bool(made())
        yield f"{kind}: length", lambda made=made: len(made())
        yield f"{kind}: copied", lambda made=made: copy.copy(made()) is not None
        yield f"{kind}: deeply copied", lambda made=made: copy.deepcopy(made()) is not None
        yield f"{kind}: pickled", lambda made=made: pickle.loads(pickle.dumps(made())) is not None  # noqa: S301 - ours
        yield f"{kind}: an attribute of its own", lambda made=made: setattr(made(), "made_up", 1)
        yield f"{kind}: collected", lambda made=made: collected(made)
        yield f"{kind}: a cycle collected", lambda made=made: collected(made, cycle=True)
        yield f"{kind}: made twice", lambda made=made: twice(made)


def collected(made, *, cycle=False):
    """Say whether an object goes away when it is not used any more."""
    thing = made()
    seen = weakref.ref(thing)
    if cycle:
        thing.itself = thing
    del thing
    gc.collect()
    return seen() is None


def twice(made):
    """Call ``__init__`` again."""
    thing = made()
    return [thing.__init__(), type(thing).__mro__[-3].__init__(thing)]


def attributes(name):
    """What reading each property gives, and what assigning each kind of value does."""
    cls = found(name)
    made = type(cls)("Sub", (cls,), {})
    for member in public(dir(cls)):
        kind = kind_of(next(vars(base)[member] for base in cls.__mro__ if member in vars(base)))
        if kind.endswith("property"):
            yield f"{member} read", lambda member=member: getattr(made(), member)
            yield f"{member} read twice", lambda member=member: same(made(), member)
            yield f"{member} deleted", lambda member=member: delattr(made(), member)
            for value in arguments.odd_values():
                yield (
                    f"{member} = {arguments.shown(value)}",
                    lambda member=member, value=value: put(made, member, value),
                )


def same(thing, member):
    """Say whether reading twice gives one object or two."""
    first, second = getattr(thing, member), getattr(thing, member)
    kept = first is second and not isinstance(first, (int, float, str, tuple))
    return [kept, type(first).__name__]


def put(made, member, value):
    """Assign, and read what is there then, also after a class attribute has taken the name."""
    thing = made()
    setattr(thing, member, value)
    read = getattr(thing, member)
    return [read, read is value and not isinstance(value, int), thing.__dict__]


def overrides(name, methods):
    """What a bound method gives that a user's class does not override, overrides, or overrides badly."""
    cls = found(name)
    for member, kinds in methods.items():
        for fault, override in FAULTS.items():
            yield (
                f"{member}: {fault}",
                lambda member=member, override=override, kinds=kinds: call(
                    cls, member, override, arguments.fitting(kinds)
                ),
            )


def call(cls, member, override, given):
    """Call the base's method on an object whose class has such an override."""
    made = type(cls)("Sub", (cls,), {} if override is None else {member: override})
    thing = made()
    for name, value in {"plugin_type": "T", "plugin_version": "1", "plugin_namespace": "n", "num_outputs": 1,
                        "plugin_name": "T", "name": "T"}.items():  # fmt: skip
        if hasattr(cls, name):
            setattr(thing, name, value)
    return getattr(cls, member)(thing, *given)


def raises(self, *_):
    raise ValueError("a message")


def answers_itself(self, *_):
    return self


FAULTS = {
    "is missing": None,
    "raises": raises,
    "takes nothing": lambda self: 1,
    "answers None": lambda self, *_: None,
    "answers 1": lambda self, *_: 1,
    "answers -1": lambda self, *_: -1,
    "answers True": lambda self, *_: True,
    "answers 1.5": lambda self, *_: 1.5,
    "answers a str": lambda self, *_: "x",
    "answers bytes": lambda self, *_: b"xyz",
    "answers a list": lambda self, *_: [1, 2],
    "answers a tuple": lambda self, *_: (3,),
    "answers a type": lambda self, *_: trt.DataType.HALF,
    "answers itself": answers_itself,
    "answers an object": lambda self, *_: Anything(),
    "no function": 5,
}
