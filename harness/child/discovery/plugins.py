"""Find a module's creators, registered or not, and the cases that belong to them.

It runs in the child, where the module has been imported under the name ``tensorrt`` of the reference runtime.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import pathlib
import sys
import urllib.parse
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from harness.cases.case import Case, CaseError, parse_case, plugin_key
from harness.child.discovery import unregistered
from harness.child.discovery.case_places import CASES, places_of
from harness.contract.interface import IMPLICIT_BATCH, MADE_AS_V3, VERSION_3
from harness.contract.suggestions import nearest
from harness.contract.wording import in_brackets, named
from harness.process.loaded_files import NATIVE_LIBRARY
from harness.subject.creators import (
    creator_classes,
    definition_of,
    homes,
    interface_of,
    is_written_in,
    not_imported,
    written_as,
)
from harness.subject.fields import advertised_fields
from harness.subject.subject import PluginOrigin, Registration
from reference_runtime.registry.registry import get_plugin_registry

if TYPE_CHECKING:
    from harness.child.discovery.unregistered import Skipped
    from harness.contract.interface import Interface

#: Types of fields whose values are never written as text.
_NUMBERS = {"FLOAT16", "FLOAT32", "FLOAT64", "INT16", "INT32", "INT64"}


class UsageProblem(Exception):  # noqa: N818 - what the user has to mend, not an error of ours
    """Report a usage error; the message says what to do."""


class FoundPlugin(msgspec.Struct, frozen=True):
    """One plugin of the module.

    Attributes:
        creator: Its creator.
        registered: Whether the module registered it itself.
        cases: Its cases; empty where the user gave none.
    """

    creator: Any
    registered: bool
    cases: tuple[Case, ...]

    @property
    def key(self) -> str:
        """``namespace/name/version``, percent-encoded."""
        return creator_key(self.creator)

    @property
    def interface(self) -> Interface:
        """The interface of the plugins that the creator makes."""
        return interface_of(self.creator)

    def at(self, case: Case, spec: str) -> Case:
        """Return one of its cases as it is judged in a run at an API level.

        Networks with an implicit batch ended with TensorRT 8.6. At later levels what is made for them is put into
        networks of one batch, the best of the case.

        Raises:
            CaseError: The level does not have what the case needs.
        """
        levelled = case.at(spec)
        if levelled.spec == "8.6" and self.interface in MADE_AS_V3:
            raise CaseError(f"case {case.name!r} of {case.key}: TensorRT 8.6 does not have {self.interface.value}")
        if self.interface not in IMPLICIT_BATCH or levelled.spec == "8.6":
            return levelled
        bests = [(entry, entry.profile[1]) for entry in levelled.inputs]
        if len({best[0] for _, best in bests}) > 1:
            raise CaseError(
                f"case {case.name!r} of {case.key} has an input that is one item for the whole batch. "
                f"TensorRT {levelled.spec} does not allow this: give the case spec='8.6'"
            )
        fixed = (dataclasses.replace(entry, dims=best, min=best, opt=best, max=best) for entry, best in bests)
        return dataclasses.replace(levelled, inputs=tuple(fixed))


class Discovery(msgspec.Struct, frozen=True):
    """All that was found in one module.

    ``strangers`` are further cases, for none of its plugins. ``refused`` are registrations that the registry refused
    because another creator has the key; these creators are not judged. ``skipped`` are creator classes that are not
    judged, because they are not plugins themselves. ``made`` are creators that the module did not register.
    """

    module: ModuleType
    plugins: tuple[FoundPlugin, ...]
    registrations: tuple[Registration, ...]
    strangers: tuple[Case, ...] = ()
    refused: tuple[Registration, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    made: tuple[Any, ...] = ()

    def withdraw(self) -> None:
        """Remove what the search registered, so that a later search finds the same."""
        for creator in self.made:
            get_plugin_registry().withdraw(creator)

    def plugin(self, key: str) -> FoundPlugin:
        """Return the plugin with this key.

        Raises:
            UsageProblem: There is none.
        """
        for plugin in self.plugins:
            if plugin.key == key:
                return plugin
        raise UsageProblem(f"{self.module.__name__} has no plugin {key}; it has {_listed(self.plugins)}")

    def origin(self, target: FoundPlugin) -> PluginOrigin:
        """Return what rules may know of where the plugin comes from."""
        return PluginOrigin(
            module=self.module.__name__,
            file=str(getattr(self.module, "__file__", "")),
            creators=tuple(plugin.creator for plugin in self.plugins),
            registrations=self.registrations,
            registered=target.registered,
            siblings=target.cases,
        )


def discover(
    module: ModuleType, cases: Iterable[Case], further: Sequence[Case] = (), used: frozenset[str] | None = None
) -> Discovery:
    """Return what an imported module holds, with its cases put to its plugins, and those of ``further`` that fit.

    Creators that the module defines and did not register are registered here. Creators that imported modules registered
    are left out, unless the module defines no creator itself. Then the module exists for them, so they count. ``used``
    are the keys of the plugins that a program used: then only those count, from any module.

    Raises:
        UsageProblem: There is no plugin in the module, or a case matches none.
    """
    registrations = _registrations()
    if used is not None:
        own = tuple(each for each in registrations if creator_key(each.creator) in used)
        return _discovery(module, own, [(each.creator, True) for each in own if each.accepted], cases, further)
    own = tuple(each for each in registrations if is_written_in(module, written_as(each.creator)))
    others = unregistered.register(module, registrations)
    if own or others.made or others.refused:
        registrations = own
    creators = [(each.creator, True) for each in registrations if each.accepted]
    creators += [(creator, False) for creator in others.made]
    if not creators and not registrations and not others.refused:
        if library := getattr(module, NATIVE_LIBRARY, None):
            raise UsageProblem(library.facts.without_creators)
        skipped = "".join(f"; {each.cls.__name__} is left out, because {each.why}" for each in others.skipped)
        if asleep := not_imported(module):
            skipped += f"; modules of it that were not imported: {named(asleep)}"
        raise UsageProblem(
            f"{getattr(module, '__file__', None) or module.__name__} holds no plugin: it registers no creator and "
            "defines no creator class that can be made without arguments. Name the module that does, or register yours "
            f"in --plugin-setup=module:function{skipped}"
        )
    discovery = _discovery(module, registrations, creators, cases, further, others.refused)
    return structs.replace(discovery, skipped=others.skipped, made=others.made)


def _discovery(
    module: ModuleType,
    registrations: tuple[Registration, ...],
    creators: Sequence[tuple[Any, bool]],
    cases: Iterable[Case],
    further: Sequence[Case],
    refused: tuple[Registration, ...] = (),
) -> Discovery:
    """Return what is known of creators, each with whether the module registered it.

    Raises:
        UsageProblem: A case matches none.
    """
    keys = {creator_key(creator) for creator, _ in creators}
    refused += tuple(each for each in registrations if not each.accepted and creator_key(each.creator) not in keys)
    by_case = [put_to(case, keys) for case in [*cases, *(case for case in further if case.key in keys)]]
    plugins = tuple(
        FoundPlugin(creator, registered, tuple(case for case in by_case if case.key == creator_key(creator)))
        for creator, registered in creators
    )
    lost = {creator_key(each.creator) for each in refused}
    _check_cases([case for case in by_case if case.key not in lost - keys], plugins)
    strangers = tuple(case for case in further if case.key not in keys)
    return Discovery(module, plugins, registrations, strangers, refused)


def has_creators(module: ModuleType) -> bool:
    """Return whether a module registers creators itself, decorates functions, or defines creator classes."""
    registered = (written_as(each.creator) for each in _registrations())
    return any(is_written_in(module, each) for each in registered) or any(True for _ in creator_classes(module))


def collect_cases(module: ModuleType) -> list[Case]:
    """Return the cases of the module and of ``<module>_cases.py`` beside it; of a package, those of its modules too.

    Raises:
        CaseError: A case is malformed.
        UsageProblem: A file beside a module holds no ``PLUGIN_CASES``.
    """
    cases: list[Case] = []
    lists: list[Any] = []
    for home in homes(module):
        beside = _beside(home)
        own = [(load_file(beside, f"{home.__name__}_cases"), True)] if beside is not None else []
        for holder, required in [(home, False), *own]:
            entries = vars(holder).get(CASES)
            # a list that is imported elsewhere is the same list
            if entries is None or not any(entries is known for known in lists):
                cases += _cases_in(holder, required=required)
                lists.append(entries)
    return cases


def further_cases(names: Iterable[str], module: ModuleType) -> list[Case]:
    """Return the cases of the modules that ``--plugin-cases`` names; they may be for the plugins of any module.

    What `collect_cases` has read already, or is named twice, counts once.

    Raises:
        CaseError: A case is malformed.
        UsageProblem: A file or module is not there or holds no ``PLUGIN_CASES``.
    """
    read = {
        *filter(None, (_file_of(home) for home in homes(module) if CASES in vars(home))),
        *filter(None, map(_beside, homes(module))),
    }
    seen = {path.resolve() for path in read}
    cases: list[Case] = []
    for name in names:
        holder = load_cases_module(name)
        file = _file_of(holder)
        if file is None or file.resolve() not in seen:
            cases += _cases_in(holder, required=True)
        seen |= {file.resolve()} if file is not None else set()
    return cases


def load_cases_module(name: str) -> ModuleType:
    """Import what ``--plugin-cases`` names: a dotted name or the path of a file.

    Raises:
        UsageProblem: It is not there.
    """
    if name.endswith(".py") or "/" in name:
        path = pathlib.Path(name)
        if not path.is_file():
            raise UsageProblem(f"--plugin-cases={name}: the file does not exist")
        return load_file(path, path.stem)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name == error.name or name.startswith(f"{error.name}.")):
            raise
        raise UsageProblem(f"--plugin-cases={name}: the module does not exist") from error


def load_file(path: pathlib.Path, name: str) -> ModuleType:
    """Import a file under a name, or return the module of that name if the import system has it already."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageProblem(f"{path} cannot be imported as a Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def creator_key(creator: Any) -> str:
    """Return the plugin key of a creator; unset attributes count as empty."""
    return plugin_key(creator.plugin_namespace or "", creator.name or "", creator.plugin_version or "")


def put_to(case: Case, keys: Iterable[str]) -> Case:
    """Return a case whose key lacks name or version, as the creator does, with the matching key; else unchanged."""
    own = case.key.split("/")
    for key in keys:
        namespace, name, version = key.split("/")
        if not (name and version) and own == [namespace, name or own[1], version or own[2]]:
            return dataclasses.replace(case, plugin=name and case.plugin, version=version and case.version)
    return case


def _cases_in(module: ModuleType, *, required: bool) -> Iterator[Case]:
    if CASES not in vars(module):  # a module's own __getattr__ could raise
        if required:
            raise UsageProblem(f"{module.__file__ or module.__name__} holds no {CASES}, a list of cases")
        return
    entries = vars(module)[CASES]
    if not isinstance(entries, (list, tuple)):
        raise CaseError(f"{module.__name__}.{CASES} is a {type(entries).__name__}, not a list of cases")
    places = places_of(_file_of(module), len(entries))
    for index, (entry, place) in enumerate(zip(entries, places, strict=True)):
        yield parse_case(entry, origin=f"{module.__name__}.{CASES}[{index}]{in_brackets(place)}", place=place)


def _file_of(module: ModuleType) -> pathlib.Path | None:
    file = getattr(module, "__file__", None)
    return pathlib.Path(file) if file is not None else None


def _beside(module: ModuleType) -> pathlib.Path | None:
    path = _file_of(module)
    if path is None:
        return None
    folder = path.parent.parent if path.name == "__init__.py" else path.parent
    stem = path.parent.name if path.name == "__init__.py" else path.stem
    beside = folder / f"{stem}_cases.py"
    return beside if beside.is_file() else None


def _registrations() -> tuple[Registration, ...]:
    return tuple(
        Registration(event.creator, event.namespace, bool(event.result))
        for event in list(get_plugin_registry().events)
        if event.verb == "register_creator"
    )


def _keys_of(key: str) -> str:
    """Return the keys of a case for the plugin with this key, as a user writes them."""
    namespace, plugin, version = map(urllib.parse.unquote, key.split("/"))
    keys = {"plugin": plugin, "version": version, "namespace": namespace}
    usual = {"version": "1", "namespace": ""}
    return ", ".join(f'"{name}": "{value}"' for name, value in keys.items() if value != usual.get(name))


def _check_cases(cases: list[Case], plugins: tuple[FoundPlugin, ...]) -> None:
    known_keys = {plugin.key for plugin in plugins}
    seen: set[tuple[str, str]] = set()
    for case in cases:
        if case.key not in known_keys:
            near = nearest(case.key, known_keys, alike=0.6)
            keys = f" (did you mean {_keys_of(near)}?)" if near else ""
            raise UsageProblem(
                f"case {case.name!r}{in_brackets(case.place)} is for {case.key}, which is not there{keys}; "
                f"found: {_listed(plugins)}"
            )
        if (case.key, case.name) in seen:
            again = in_brackets(case.place)
            raise UsageProblem(f"two cases of {case.key} are named {case.name!r}{again}; give them different names")
        seen.add((case.key, case.name))
        plugin = next(plugin for plugin in plugins if plugin.key == case.key)
        if case.shape_inputs and plugin.interface not in VERSION_3:
            raise UsageProblem(
                f"{case.title} has a shape input, which only an IPluginV3 can have, and the plugin "
                f"is an {plugin.interface.value}"
            )
        if plugin.interface in IMPLICIT_BATCH:
            _check_batch(case, plugin.interface)
        _check_fields(case, plugin)


def _check_fields(case: Case, plugin: FoundPlugin) -> None:
    """Refuse fields that the plugin cannot mean: others than its attributes, misspelt ones, text for numbers."""
    this = case.title
    definition = definition_of(plugin.creator)
    if definition is not None and set(case.fields) != set(definition.known.attributes):  # op would refuse them
        raise UsageProblem(
            f"{this} has the fields {sorted(case.fields)}, and the plugin the attributes "
            f"{list(definition.known.attributes)}: give a decorated plugin exactly its attributes"
        )
    advertised = {str(field.name): field.type.name for field in advertised_fields(plugin.creator)}
    for name, value in case.fields.items():
        near = nearest(name, [each for each in advertised if each not in case.fields], alike=0.6)
        if name not in advertised and near:
            raise UsageProblem(f"{this}: the creator has no field {name!r} (did you mean {near!r}?)")
        kind = advertised.get(name, "")
        if isinstance(value, str) and kind in _NUMBERS:  # it would be a CHAR field
            raise UsageProblem(
                f"{this}: fields[{name!r}] is {value!r}, and the creator advertises {kind}: "
                "write a number, or (array, trt.PluginFieldType.CHAR) if CHAR is meant"
            )


def _check_batch(case: Case, interface: Interface) -> None:
    """Refuse a case whose inputs are no batch of items.

    The first dimension may vary, and is the same for all inputs or 1.
    """
    why = ""
    batches = {entry.names[:1] if entry.network_dims[:1] == (-1,) else entry.network_dims[:1] for entry in case.inputs}
    if any(not entry.network_dims or -1 in entry.network_dims[1:] for entry in case.inputs):
        why = "a dimension other than the first varies, or there is none"
    elif len(batches - {(1,)}) > 1 or ((None,) in batches and len(case.inputs) > 1):
        why = "the first dimensions have different names or numbers"
    elif any(entry.profile[0][0] < 1 for entry in case.inputs):
        why = "a batch has at least 1 item"
    if why:
        raise UsageProblem(
            f"{case.title}: {why}. An input of an {interface.value} is a batch of "
            "equal items, as ('N', 3, 8, 8). Or it is one item for the whole batch, as (1, 3, 8, 8)"
        )


def _listed(plugins: Iterable[FoundPlugin]) -> str:
    return ", ".join(plugin.key for plugin in plugins) or "no plugin"
