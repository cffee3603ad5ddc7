"""REG: the plugin registry, as far as it is the module's with the plugin that is to blame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.prerequisites import RUNS
from conformance.sources import plugins
from harness.checks.fields.creating import creator_attributes, registry_changes
from harness.checks.lifecycle.life_stages import moments
from harness.contract.finding import Finding, NotApplicable, Violation, check
from harness.contract.rule import Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.subject.subject import Registration, Subject


@rule("REG-001", level=1, source=plugins.REGISTER_TWICE, requires={"CRE-001"})
def nothing_is_registered_twice(subject: Subject) -> Iterator[Finding]:
    """A module registers one creator for each name, version and namespace.

    ``register_creator`` refuses a second one with False and keeps the first. A module that ignores the False
    expects its second creator to be in use.
    """
    for number, registration in enumerate(_registrations(subject)):
        yield check(
            registration.accepted,
            lambda: Violation(
                what=f"register_creator refused a {type(registration.creator).__name__}, and the module went on",
                where=f"registration {number + 1} of {_key(registration.creator)} while the module was imported",
                expected="one registration, or a check of the result of register_creator",
                observed=f"False: {type(subject.creator).__name__} was registered before and stays registered",
                fix="Register once, or give the second creator another name, version or namespace.",
            ),
        )


@rule("REG-002", level=1, source=plugins.REGISTER_NAMESPACE, requires={"CRE-001"})
def namespace_is_the_creators_own(subject: Subject) -> Iterator[Finding]:
    """The namespace that is passed to ``register_creator`` is the creator's own ``plugin_namespace``.

    If they differ, the call returns True, but ``get_creator`` finds the creator in neither namespace.
    """
    own = creator_attributes(subject.creator)["plugin_namespace"]
    for registration in _registrations(subject):
        if not registration.accepted:
            continue
        yield check(
            registration.namespace == own,
            lambda: Violation(
                what=f"a creator of namespace {own!r} was registered in namespace {registration.namespace!r}",
                where=f"register_creator({type(subject.creator).__name__}, {registration.namespace!r})",
                expected=f"register_creator(creator, {own!r})",
                observed="True, but get_creator finds it in neither namespace",
                fix="Pass creator.plugin_namespace as the second argument of register_creator.",
            ),
        )


@rule("REG-006", level=1, source=plugins.LIBRARY_NAMESPACE, severity=Severity.INFO, requires={"CRE-001"})
def creators_share_a_namespace(subject: Subject) -> Iterator[Finding]:
    """All creators of a module have one namespace.

    Users of the library then name one namespace. Plugins of the same name in other libraries do not collide with it.
    Every TensorRT works with several.
    """
    creators = subject.origin.creators
    if len(creators) == 1:
        raise NotApplicable(f"{subject.origin.module} has one creator")
    own = creator_attributes(subject.creator)["plugin_namespace"]
    others = {creator_attributes(creator)["plugin_namespace"] for creator in creators}
    yield check(
        others == {own},
        lambda: Violation(
            what=f"the creators of {subject.origin.module} have {len(others)} namespaces",
            where=", ".join(_key(creator) for creator in creators),
            expected="one namespace, the library's",
            observed=", ".join(sorted(map(repr, others))),
            fix="Give all creators the same plugin_namespace.",
        ),
    )


@rule("REG-007", level=1, source=plugins.REGISTER_DYNAMICALLY, severity=Severity.INFO)
def import_registers_the_creator(subject: Subject) -> Iterator[Finding]:
    """The import of the module registers the creator.

    A process that loads an engine usually only imports the module. If registration is another step, as with
    ``--plugin-setup``, the author of that process must know it. With that step every TensorRT works.
    """
    yield check(
        subject.origin.registered,
        lambda: Violation(
            what=f"the import of {subject.origin.module} does not register {type(subject.creator).__name__}",
            where=f"import of {subject.origin.module}",
            expected="a successful call of register_creator",
            observed="none: a process that loads an engine would not find the creator",
            fix="Call trt.get_plugin_registry().register_creator(...) at the end of the module, outside of any "
            'if __name__ == "__main__".',
        ),
    )


@rule("REG-013", source=plugins.REGISTRY_SHARED, severity=Severity.WARNING, requires=RUNS)
def registry_is_left_alone(subject: Subject) -> Iterator[Finding]:
    """The plugin does not change the registry when it is made or used.

    The registry belongs to the whole process. What a plugin adds stays there, and what it removes is missing for
    others.
    """
    before = len(registry_changes())
    for moment in moments(subject, subject.create()):
        changes = registry_changes()
        yield check(
            len(changes) == before,
            lambda: Violation(
                what="the plugin changed the registry",
                where=moment.when,
                expected="no registration after the import of the module",
                observed=changes[-1],
                fix="Register all creators when the module is imported.",
            ),
        )
        before = len(changes)


def _registrations(subject: Subject) -> list[Registration]:
    """The registrations, refused ones too, of creators that have the subject's name, version and namespace."""
    key = _key(subject.creator)
    registrations = [each for each in subject.origin.registrations if _key(each.creator) == key]
    if not registrations:
        raise NotApplicable("the module does not register the creator")
    return registrations


def _key(creator: object) -> str:
    own = creator_attributes(creator)
    return "/".join(str(own[name]) for name in ("plugin_namespace", "name", "plugin_version"))
