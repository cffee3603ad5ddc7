"""Select the items of a run by options and node ids, and record the items that were taken away."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from harness.contract.codec import Record
from harness.contract.suggestions import suggestion
from harness.results.module_rules import MODULE_RULES
from harness.results.run_plan import ROOT

if TYPE_CHECKING:
    from harness.config.options import Options
    from harness.config.overrides import Override
    from harness.contract.catalogue import Catalogue
    from harness.results.run_plan import ItemId

#: A conformance node id as an argument; pytest prints it with ``../`` in a folder below the root.
_OURS = re.compile(rf"(?:\.\./)*{ROOT}::")


class UnknownIdError(LookupError):
    """A node id names no item of the modules; the message may suggest another node id."""


class Selection(msgspec.Struct, frozen=True):
    """The items that the user's options and node ids select.

    Attributes:
        rules: The ids of the selected rules.
        ids: The node ids that were typed, each as the parts after the first; empty for all.
        beyond: The rules that only the level leaves out; the node id of an item of these rules selects the item.
        own: The selections of plugins with separate options; they replace ``rules`` and ``beyond``.
    """

    rules: frozenset[str]
    ids: tuple[tuple[str, ...], ...] = ()
    beyond: frozenset[str] = frozenset()
    own: tuple[tuple[Override, Selection], ...] = ()

    @classmethod
    def of(cls, options: Options, catalogue: Catalogue, typed: Iterable[str]) -> Selection:
        """Return the selection for options and typed node ids.

        Raises:
            harness.contract.catalogue.UnknownRuleError: An option names no rule, family or severity.
        """
        ids = tuple(_parts(argument) for argument in typed)
        changed = ((each, structs.replace(options, **each.changes)) for each in options.overrides)
        own = tuple((each, cls._chosen(theirs, catalogue)) for each, theirs in changed)
        return structs.replace(cls._chosen(options, catalogue), ids=ids, own=own)

    @classmethod
    def _chosen(cls, options: Options, catalogue: Catalogue) -> Selection:
        spec = options.spec.value
        chosen = catalogue.matching(options.select, spec) if options.select else frozenset(catalogue.rules)
        rules = chosen - catalogue.matching(options.ignore, spec)
        inside = rules & (catalogue.up_to(options.level) | frozenset(options.select))
        return cls(inside, beyond=rules - inside)

    def admits(self, place: ItemId) -> bool:
        """Return whether an item is selected; items about a module itself always are, unless ids are typed."""
        chosen = next((selection for override, selection in self.own if override.concerns(place.key)), self)
        if place.rule in chosen.beyond:
            return _parts(place.nodeid) in self.ids
        if place.rule not in MODULE_RULES and place.rule not in chosen.rules:
            return False
        return self.admits_by_id(place)

    def admits_by_id(self, place: ItemId) -> bool:
        """Return whether the typed node ids include an item, about a rule or about a module."""
        parts = _parts(place.nodeid)
        return not self.ids or any(parts[: len(typed)] == typed for typed in self.ids)

    def check(self, places: Iterable[ItemId]) -> None:
        """Check that every typed node id names a plugin, a case or an item.

        Raises:
            UnknownIdError: A node id names none.
        """
        nodeids = {place.nodeid for place in places} if self.ids else set()
        known = {parts[:length] for parts in map(_parts, nodeids) for length in range(1, len(parts) + 1)}
        for typed in self.ids:
            if typed not in known:
                words = "::".join((ROOT, *typed))
                hint = suggestion(words, ("::".join((ROOT, *parts)) for parts in known))
                raise UnknownIdError(f"not found: {words}: no plugin, case or rule here has this id{hint}")


def split_arguments(arguments: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the arguments that are conformance node ids, and the others."""
    ours: list[str] = []
    others: list[str] = []
    for argument in arguments:
        (ours if _OURS.match(argument) else others).append(argument)
    return ours, others


@dataclasses.dataclass(frozen=True)
class Taken(Record):
    """Items that were collected and will not run.

    Attributes:
        by_user: Node ids that the user's ``-k``, ``-m``, ``--deselect``, ``--lf`` or similar options left out.
        by_others: Node ids that other code took away, each with a text that names this code.
    """

    by_user: frozenset[str] = frozenset()
    by_others: dict[str, str] = dataclasses.field(default_factory=dict)


def _parts(nodeid: str) -> tuple[str, ...]:
    """Return the parts of a node id after the first, without the group that pytest-xdist appends."""
    return tuple(nodeid.partition("::")[2].partition("@")[0].split("::"))
