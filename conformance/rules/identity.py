"""ID: identity and mandatory attributes of plugin objects.

Long because the family is: one file a family.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import RUNS
from conformance.sources import plugins
from harness.checks.fields.creating import as_assigned, create_if_possible, creator_attributes, find_creator
from harness.checks.formats.capabilities import capabilities
from harness.checks.lifecycle.life_stages import moments
from harness.checks.lifecycle.static_answers import number_of_outputs
from harness.checks.observation.classes import of_tensorrt, own_definitions
from harness.checks.observation.telling import text_of
from harness.contract.finding import Finding, NotApplicable, NotRun, Violation, check
from harness.contract.language import PYTHON
from harness.contract.rule import VERSION_2, VERSION_3, Severity, rule
from harness.subject.callers import NATIVE_ATTRIBUTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.fields.creating import Creation
    from harness.subject.subject import Subject

#: What strings may hold, their terminator included.
MOST_BYTES = 1024
#: What TensorRT defines itself, of plugins of version 2, and of all else.
HOOKS = ("tensorrt_version", "interface_info", "api_language")
#: How the bindings refuse a value: pybind11 lists the types that the setter of an attribute takes.
_REFUSED_BY_A_SETTER = re.compile(r"\(arg0: tensorrt\.tensorrt\.IPlugin\w*, arg1: ")
#: A namespace that no plugin has by itself.
PROBE = "trt-conformance.probe"


def _made(subject: Subject) -> dict[str, Any]:
    """The objects that a creator makes, by the callback that makes them."""
    plugin = subject.create()
    return {"create_plugin": plugin, "deserialize_plugin": subject.deserialize(subject.serialize(plugin))}


@rule("ID-001", level=1, source=plugins.PLUGIN_TYPE, requires={"CRE-001", "ID-005"})
def type_is_the_creators_name(subject: Subject) -> Iterator[Finding]:
    """``plugin_type`` is the ``name`` of the creator that makes the plugin.

    An engine stores the plugin's type, and looks up the creator by it when it is loaded.
    """
    name = creator_attributes(subject.creator)["name"]
    for callback, plugin in _made(subject).items():
        kind = subject.caller.identity_of(subject.gate, plugin)[subject.caller.words.type]
        yield check(
            kind == name,
            lambda: Violation(
                what=f"plugin_type is {kind!r}, the creator's name is {name!r}",
                where=f"the object that {callback} returned",
                expected=f"plugin_type == {name!r}",
                observed=f"{kind!r}: engines that hold the plugin look for a creator of that name when they are loaded",
                fix=f"Assign self.plugin_type = {name!r} in the plugin's __init__, or give the creator this name.",
            ),
        )


@rule("ID-002", level=1, source=plugins.PLUGIN_VERSION, requires={"CRE-001", "ID-005"})
def version_is_the_creators(subject: Subject) -> Iterator[Finding]:
    """``plugin_version`` of the plugin is that of its creator.

    An engine stores the plugin's version, and looks up the creator by it when it is loaded.
    """
    creators_version = creator_attributes(subject.creator)["plugin_version"]
    for callback, plugin in _made(subject).items():
        version = subject.caller.identity_of(subject.gate, plugin)["plugin_version"]
        yield check(
            version == creators_version,
            lambda: Violation(
                what=f"plugin_version is {version!r}, the creator's is {creators_version!r}",
                where=f"the object that {callback} returned",
                expected=f"plugin_version == {creators_version!r}",
                observed=f"{version!r}: engines that hold the plugin look for a creator of that version",
                fix="Assign the same version in plugin and creator.",
            ),
        )


@rule("ID-003", level=1, source=plugins.PLUGIN_NAMESPACE, requires={"ID-005", "CRE-001", "REG-002"})
def creator_is_found_in_the_plugins_namespace(subject: Subject) -> Iterator[Finding]:
    """The plugin reports the namespace in which its creator is registered.

    An engine stores the plugin's namespace, and looks up the creator in it when it is loaded.
    """
    own = creator_attributes(subject.creator)
    for callback, plugin in _made(subject).items():
        namespace = subject.caller.identity_of(subject.gate, plugin)["plugin_namespace"]
        creator = find_creator(own["name"], own["plugin_version"], namespace)
        yield check(
            creator is subject.creator,
            lambda: Violation(
                what=f"plugin_namespace is {namespace!r}, where the registry has no creator of this plugin",
                where=f"the object that {callback} returned",
                expected=f"{own['plugin_namespace']!r}, the creator's namespace",
                observed=f"get_creator({own['name']!r}, {own['plugin_version']!r}, {namespace!r}) gives {creator!r}",
                fix="Assign the creator's plugin_namespace to each plugin in create_plugin.",
            ),
        )


@rule("ID-004", level=1, source=plugins.IDENTITY_STRINGS, requires={"ID-005", "CRE-001"})
def identity_strings_fit(subject: Subject) -> Iterator[Finding]:
    """Names, versions and namespaces fit into 1024 bytes with their terminator, and hold no NUL.

    The bindings cut a string at a NUL, and do not check its length. Longer strings reach buffers of a fixed size.
    """
    own = creator_attributes(subject.creator)
    strings = {f"the creator's {key}": own[key] for key in ("name", "plugin_version", "plugin_namespace")}
    made = subject.caller.identity_of(subject.gate, subject.create())
    strings |= {f"the plugin's {key}": made[key] for key in made if key != "num_outputs"}
    for where, held in strings.items():
        text = as_assigned(held)
        length = len(text.encode()) + 1
        yield check(
            length <= MOST_BYTES and "\0" not in text,
            lambda: Violation(
                what=f"{where} is {text[:40]!r}{'...' if len(text) > 40 else ''}",  # noqa: PLR2004 - one line
                where=where,
                expected=f"at most {MOST_BYTES} bytes with the terminator, and no NUL within",
                observed=f"{length} bytes" + (f"; TensorRT reads {held!r} of it" if "\0" in text else ""),
                fix="Assign a shorter string without a NUL character.",
            ),
        )


@rule("ID-005", level=1, source=plugins.NATIVE_ATTRIBUTES, owns=NATIVE_ATTRIBUTES)
def native_attributes_are_assigned(subject: Subject) -> Iterator[Finding]:
    """``num_outputs``, ``plugin_type``, ``plugin_version`` and ``plugin_namespace`` are assigned on every object.

    TensorRT keeps them outside the object's ``__dict__``. A class attribute or property of the same name hides the real
    attribute. A copy of ``__dict__`` does not have it.
    """
    plugin = subject.create()
    copies = {"create_plugin": plugin, "clone": subject.clone(plugin)}
    copies["deserialize_plugin"] = subject.deserialize(subject.serialize(plugin))
    for callback, made in copies.items():
        for name, value in subject.caller.identity_of(subject.gate, made).items():
            yield check(
                name not in subject.caller.unassigned(subject.gate, made),
                lambda: Violation(
                    what=f"{name} was never assigned",
                    where=f"the object that {callback} returned",
                    expected=f"self.{name} is assigned before {callback} returns",
                    observed=f"TensorRT reads {'a null pointer' if value is None else value}",
                    fix=f"Assign self.{name} in __init__, and define no attribute of that name in the class.",
                ),
            )


@rule("ID-006", source=plugins.IDENTITY_CONSTANT, requires=RUNS | {"ID-005"})
def identity_never_changes(subject: Subject) -> Iterator[Finding]:
    """Type, version and namespace of a plugin stay the same for its whole life, on clones too.

    TensorRT may read them at any time, and an engine stores what it reads.
    """
    plugin = subject.create()
    before = subject.caller.identity_of(subject.gate, plugin)
    for moment in moments(subject, plugin):
        now = subject.caller.identity_of(subject.gate, moment.plugin)
        for name in (subject.caller.words.type, "plugin_version", "plugin_namespace"):
            yield check(
                now[name] == before[name],
                lambda: Violation(
                    what=f"{name} became {now[name]!r}",
                    where=moment.when,
                    expected=f"{before[name]!r}, as on the new object",
                    observed=repr(now[name]),
                    fix=f"Assign {name} only in __init__, and copy it in clone().",
                ),
            )


@rule("ID-007", level=1, source=plugins.NUM_OUTPUTS_POSITIVE)
def number_of_outputs_is_positive(subject: Subject) -> Iterator[Finding]:
    """``num_outputs`` is at least 1.

    The bindings accept any integer; a layer without outputs cannot be used, and a negative number is undefined.
    """
    count = number_of_outputs(subject, subject.create())
    yield check(
        count >= 1,
        lambda: Violation(
            what=f"num_outputs is {count}",
            where="a new object",
            expected="1 or more",
            observed=str(count),
            fix="Assign the number of output tensors to self.num_outputs.",
        ),
    )


@rule("ID-008", source=plugins.NUM_OUTPUTS_CONSTANT, requires=RUNS)
def number_of_outputs_never_changes(subject: Subject) -> Iterator[Finding]:
    """``num_outputs`` is right on a new object and stays the same for its whole life, on clones too.

    TensorRT reads it when it makes the network, before it configures the plugin. At an execution, ``enqueue`` gets as
    many output addresses as it says then, not as many as the network has.
    """
    plugin = subject.create()
    before = number_of_outputs(subject, plugin)
    for moment in moments(subject, plugin):
        if not subject.caller.can_be_asked(subject.gate, moment.plugin):
            continue  # a plugin of an engine need not have the capability that says it
        now = number_of_outputs(subject, moment.plugin)
        yield check(
            now == before,
            lambda: Violation(
                what=f"num_outputs became {now}",
                where=moment.when,
                expected=f"{before}, as on the new object",
                observed=f"{now}: enqueue gets as many output addresses, not as many as the network has",
                fix="Assign num_outputs only in __init__.",
            ),
        )


@rule("ID-009", languages=PYTHON, level=1, source=plugins.OWN_HOOKS)
def hooks_of_tensorrt_are_left_alone(subject: Subject) -> Iterator[Finding]:
    """Plugin, capabilities and creator do not define ``tensorrt_version``, ``interface_info`` or ``api_language``.

    TensorRT answers these itself, and recognises the kind of object by them.
    """
    plugin = subject.create()
    things = [plugin, subject.creator]
    if subject.interface in VERSION_3:
        things += [part for part in capabilities(subject, plugin).values() if part is not None]
    for cls in dict.fromkeys(map(type, things)):
        hooks = of_tensorrt(cls, HOOKS)
        defined = own_definitions(cls, hooks)
        for hook in hooks:
            yield check(
                hook not in defined,
                lambda: Violation(
                    what=f"{defined[hook]} defines {hook}",
                    where=f"class {cls.__name__}",
                    expected=f"{hook} as inherited from TensorRT",
                    observed="its own definition",
                    fix=f"Remove {hook} from the class.",
                ),
            )


@rule("ID-010", languages=PYTHON, level=1, source=plugins.BASE_INIT)
def base_class_is_initialized(subject: Subject) -> Iterator[Finding]:
    """The plugin's ``__init__`` calls ``__init__`` of the TensorRT class that it derives from.

    Otherwise the Python object has no C++ object, and construction ends in a TypeError or a crash.
    """
    creation = create_if_possible(subject)
    words = _error_text(creation)
    missing = "__init__() must be called" in words or "was used before" in words
    _stop_for_other_reasons(creation, is_about_this=missing)
    yield check(
        not missing,
        lambda: Violation(
            what="the plugin was made without its TensorRT base class",
            where="create_plugin with the case's fields",
            expected="the base class's __init__ is called before anything is assigned",
            observed=f"create_plugin {creation.refusal}",
            fix="Begin __init__ with trt.IPluginV2DynamicExt.__init__(self).",
        ),
    )


@rule("ID-011", languages=PYTHON, level=1, source=plugins.IDENTITY_TYPES, requires={"CRE-001", "ID-010"})
def identity_is_of_the_right_types(subject: Subject) -> Iterator[Finding]:
    """Type, version and namespace are assigned as strings, and ``num_outputs`` as an integer.

    The bindings refuse anything else with a TypeError; None as a namespace crashes them.
    """
    creation = create_if_possible(subject)
    words = _error_text(creation)
    refused = _REFUSED_BY_A_SETTER.search(words) is not None or "plugin_namespace = None" in words
    _stop_for_other_reasons(creation, is_about_this=refused)
    yield check(
        not refused,
        lambda: Violation(
            what="an attribute was assigned a value of the wrong type",
            where="create_plugin with the case's fields",
            expected="strings for plugin_type, plugin_version and plugin_namespace, an int for num_outputs",
            observed=f"create_plugin {creation.refusal}; the value was {words.rpartition(', ')[2][:40]}",
            fix='Assign a string, for example self.plugin_version = "1".',
        ),
    )


@rule("ID-012", level=1, source=plugins.NAMESPACE_DEFAULT, severity=Severity.WARNING, interfaces=VERSION_2)
def namespace_is_empty_by_default(subject: Subject) -> Iterator[Finding]:
    """A plugin without a namespace reports the empty string.

    The C++ header asks for it; the Python bindings have no default and report a null pointer.
    """
    namespace = subject.caller.identity_of(subject.gate, subject.create())["plugin_namespace"]
    yield check(
        namespace is not None,
        lambda: Violation(
            what="plugin_namespace has no value",
            where="a new object",
            expected="'' until another namespace is assigned",
            observed="TensorRT reads a null pointer",
            fix='Assign self.plugin_namespace = "" in __init__.',
        ),
    )


@rule(
    "ID-013",
    source=plugins.NAMESPACE_ASSIGNED,
    severity=Severity.INFO,
    requires={"ID-005", "ID-006"},
    interfaces=VERSION_2,
)
def assigned_namespace_is_kept(subject: Subject) -> Iterator[Finding]:
    """A plugin reports a namespace that was assigned from outside, and its clones inherit it.

    C++ code may assign one to any plugin. NVIDIA's samples in Python have none, and their clones lose what is assigned:
    that harms no plugin in the default namespace. ID-014 is about plugins whose creator assigns one.
    """
    plugin = subject.create()
    subject.caller.assign_namespace(plugin, PROBE)
    clone = subject.clone(plugin)
    for where, made in {
        "the object": plugin,
        "its clone": clone,
        "a clone of its clone": subject.clone(clone),
    }.items():
        seen = subject.caller.identity_of(subject.gate, made)["plugin_namespace"]
        yield check(
            seen == PROBE,
            lambda: Violation(
                what=f"{where} forgot the namespace that it was assigned",
                where=f"plugin_namespace of {where}",
                expected=repr(PROBE),
                observed=repr(seen),
                fix="Copy self.plugin_namespace in clone().",
            ),
        )


@rule(
    "ID-014",
    source=plugins.CLONE_NAMESPACE,
    requires={"ID-005", "ID-006", "CRE-001"},
    interfaces=VERSION_2 | VERSION_3,
)
def clone_keeps_the_creators_namespace(subject: Subject) -> Iterator[Finding]:
    """A clone has the namespace that the creator assigned to its source.

    An engine stores the namespace of a clone, and looks up the creator in it when it is loaded. A clone that begins in
    the default namespace works until the creator is registered in another namespace. The rule gives the creator another
    namespace, and judges plugins to which ``create_plugin`` passes it on.
    """
    plugin = _made_in_namespace(subject, PROBE)
    if _namespace_of(subject, plugin) != PROBE:
        raise NotApplicable("create_plugin does not pass the creator's namespace on")
    clone = subject.clone(plugin)
    for where, made in {"its clone": clone, "a clone of its clone": subject.clone(clone)}.items():
        seen = _namespace_of(subject, made)
        yield check(
            seen == PROBE,
            lambda: Violation(
                what=f"{where} lost the namespace that the creator assigned",
                where=f"plugin_namespace of {where}, in clone()",
                expected=f"{PROBE!r}, the creator's namespace",
                observed=f"{seen!r}; an engine that stores it is loaded only where the creator is in this namespace",
                fix="Copy self.plugin_namespace in clone().",
            ),
        )


def _made_in_namespace(subject: Subject, namespace: str) -> Any:
    """Return a plugin of the creator while that has another namespace."""
    own = creator_attributes(subject.creator)["plugin_namespace"]
    subject.creator.plugin_namespace = namespace
    try:
        return subject.create()
    finally:
        subject.creator.plugin_namespace = own


def _namespace_of(subject: Subject, plugin: Any) -> Any:
    return subject.caller.identity_of(subject.gate, plugin)["plugin_namespace"]


def _error_text(creation: Creation) -> str:
    return "" if creation.failure is None or creation.failure.error is None else text_of(creation.failure.error)


def _stop_for_other_reasons(creation: Creation, *, is_about_this: bool) -> None:
    if creation.failure is not None and not is_about_this:
        raise NotRun(f"there is no plugin to look at: create_plugin {creation.refusal}")
