"""REG and PFD: what an application asks of the plugin registry, and the fields that it makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.sources import applications as sources
from harness.applications import lookups, results
from harness.contract.finding import Finding, Violation, check
from harness.contract.rule import APPLICATIONS, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.applications.application import Application

_LOOKS_NOTHING_UP = "the application looks no creator up"
_CREATOR = frozenset(
    {"create_plugin", "deserialize_plugin", "field_names", "name", "plugin_namespace", "plugin_version"}
)


@rule("REG-003", level=1, source=sources.LOOKUP, interfaces=APPLICATIONS)
def missing_creators_are_noticed(application: Application) -> Iterator[Finding]:
    """The application checks the result of a creator lookup for None.

    A lookup returns None unless name, version and namespace all match.
    """
    nothings = results.nothings(application, results.LOOKUPS, _CREATOR)
    for nothing in application.occasions(
        nothings, "the application finds every creator that it looks up, or looks up none"
    ):
        yield check(
            not nothing.ended,
            lambda: Violation(
                what=f"{nothing.call.member} returned None, and the application used it as a creator",
                where=f"{nothing.call.site}, {nothing.call.shown}",
                expected="the application checks the result, and names the missing plugin in an error",
                observed=nothing.ended,
                fix="Check the creator for None; name, version and namespace have to match exactly.",
            ),
        )


@rule("REG-005", level=1, source=sources.CREATOR_LIST, severity=Severity.WARNING, interfaces=APPLICATIONS)
def lists_of_creators_are_fresh(application: Application) -> Iterator[Finding]:
    """The application does not use an old list of creators after a creator was registered or deregistered.

    The old list lacks the change. In C++ it points to freed memory.
    """
    for look in application.occasions(lookups.looks(application.trace), "the application uses no list of creators"):
        yield check(
            not look.changes,
            lambda: Violation(
                what=f"a list of creators was used after {look.changes} changes of the registry",
                where=f"{look.site}; the list is from {look.call.site}, {look.call.shown}",
                expected="all_creators is read again after register_creator and deregister_creator",
                observed="an old list; in C++ it would point to freed memory",
                fix="Read all_creators where you use it, and do not keep the list.",
            ),
        )


@rule("REG-008", level=1, source=sources.LEGACY_LOOKUP, interfaces=APPLICATIONS)
def creators_of_version_3_are_found(application: Application) -> Iterator[Finding]:
    """The application looks up creators of IPluginV3 with ``get_creator`` or ``all_creators``, which know them.

    ``get_plugin_creator`` and ``plugin_creator_list`` do not know them, and TensorRT 11 has neither.
    """
    for legacy in application.occasions(lookups.legacy(application), "the application uses none of the older lookups"):
        yield check(
            not legacy.missed,
            lambda: Violation(
                what=f"{legacy.call.member} does not see {legacy.missed}, a creator of IPluginV3",
                where=f"{legacy.call.site}, {legacy.call.shown}",
                expected="get_creator(name, version, namespace), or all_creators",
                observed=f"{legacy.call.result!r}, and the application made no other lookup for it",
                fix="Use get_creator in place of get_plugin_creator, all_creators in place of plugin_creator_list.",
            ),
        )


@rule("REG-012", level=1, source=sources.OWN_PLUGINS, severity=Severity.WARNING, interfaces=APPLICATIONS)
def plugins_of_tensorrt_are_asked_for(application: Application) -> Iterator[Finding]:
    """The application looks up TensorRT's own plugins after ``init_libnvinfer_plugins``, which registers them.

    Before this call the registry does not have them, and the lookup returns None.
    """
    for call in application.occasions(
        lookups.of_own_plugins(application.trace), "the application looks up no plugin of TensorRT's"
    ):
        yield check(
            call.facts["own"],
            lambda: Violation(
                what=f"{call.arguments.get('type')} was looked up before TensorRT's own plugins were registered",
                where=f"{call.site}, {call.shown}",
                expected="trt.init_libnvinfer_plugins(logger, namespace), once, before",
                observed="the process has not called it",
                fix="Call trt.init_libnvinfer_plugins(logger, '') before you look up plugins.",
            ),
        )


@rule("PFD-012", level=1, source=sources.FIELD_DATA, interfaces=APPLICATIONS)
def field_data_are_buffers(application: Application) -> Iterator[Finding]:
    """The application passes a buffer (an array, bytes) as data of a PluginField: no list, str or number.

    The bindings refuse a list, a str or a number with a TypeError.
    """
    made = lookups.fields(application.trace)
    for call in application.occasions(made, "the application makes no field with data"):
        yield check(
            not call.error or call.facts["is_buffer"],
            lambda: Violation(
                what=f"field {call.arguments.get('name')!r} was given {call.arguments.get('data')!r}",
                where=f"{call.site}, {call.shown}",
                expected="a NumPy array of the field's type, or bytes",
                observed=call.error.partition("(")[0] or call.error,
                fix="Wrap the value: np.array([value], np.float32); text as text.encode().",
            ),
        )
