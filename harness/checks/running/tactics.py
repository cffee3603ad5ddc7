"""Ask an ``IPluginV3`` for its tactics, and set or run them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.formats.choices import case_combinations
from harness.checks.running.driver import DEFAULT_TACTIC, Driver
from harness.contract.finding import NotApplicable
from harness.subject.calling import leniently, raise_for, stop_for_want_of_a_gpu, strictly
from reference_runtime import instruments
from reference_runtime.calling.trampolines import v3
from reference_runtime.interfaces.v3 import IPluginV3OneBuild

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.formats.formats import Combination
    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import Failure


#: How many of the first tactics, and of the last, rules try if there are many more.
_SOME = 32


class Offer(msgspec.Struct, frozen=True):
    """The tactics that a plugin advertises for one combination, or the failure of ``get_valid_tactics``."""

    combination: Combination
    tactics: tuple[int, ...]
    failure: Failure | None = None

    @property
    def tried(self) -> tuple[int, ...]:
        """Return the tactics that rules try: of more than 64, the first 32 and the last 32."""
        return self.tactics if len(self.tactics) <= 2 * _SOME else (*self.tactics[:_SOME], *self.tactics[-_SOME:])

    def __str__(self) -> str:
        return f"configured for {self.combination}"


def offers(subject: Subject) -> Iterator[Offer]:
    """Yield the tactics that a new plugin advertises, for each of the first accepted combinations."""
    for combination in case_combinations(subject):
        yield offer_of(Driver(subject, subject.create(), combination))


def offer_of(driver: Driver) -> Offer:
    """Configure the driver's plugin for the build, and ask for its tactics.

    Raises:
        CallbackFailedError: A callback other than ``get_valid_tactics`` failed.
    """
    with leniently(driver.gate) as failures:
        driver.caller.configure(driver.gate, driver.plugin, *driver.tensors.build_bounds())
    for failure in failures:
        stop_for_want_of_a_gpu(failure)
        if failure.method != "get_valid_tactics":
            raise_for(failure)
    return Offer(driver.combination, ask_again(driver), failures[0] if failures else None)


def ask_again(driver: Driver) -> tuple[int, ...]:
    """Return the tactics of a configured plugin; empty if the query fails."""
    build = driver.caller.what_builds(driver.gate, driver.plugin)
    with leniently(driver.gate):
        return tuple(v3.get_valid_tactics(driver.gate, build) or ())


def advertised(subject: Subject) -> list[Offer]:
    """Return the offers of :func:`offers` that have tactics.

    Raises:
        NotApplicable: No offer has tactics.
    """
    with_tactics = [offer for offer in offers(subject) if offer.tactics]
    if not with_tactics:
        raise NotApplicable("the plugin advertises no tactics")
    return with_tactics


def ready_with(subject: Subject, combination: Combination, tactic: int) -> Driver:
    """Return a driver for a new object in a context, which will run with the tactic."""
    driver = Driver(subject, subject.create(), combination).configure_for_build()
    driver.tactic = tactic
    return driver.initialize()


def refusal_of(driver: Driver, tactic: int = DEFAULT_TACTIC) -> str:
    """Call ``set_tactic`` of an object in a context, and return how it refuses the tactic; empty if it accepts."""
    with leniently(driver.gate) as failures:
        v3.set_tactic(driver.gate, driver.caller.what_runs(driver.gate, driver.plugin), tactic)
    if failures:
        stop_for_want_of_a_gpu(failures[0])
    return failures[0].what if failures else ""


def set_tactic(driver: Driver, tactic: int) -> None:
    """Set the tactic of an object in a context.

    Raises:
        CallbackFailedError: ``set_tactic`` failed.
    """
    with strictly(driver.gate):
        v3.set_tactic(driver.gate, driver.caller.what_runs(driver.gate, driver.plugin), tactic)


def build_attribute(subject: Subject, plugin: Any, name: str) -> Any:
    """Return the value that C++ reads for an attribute of a plugin's build capability, such as ``timing_cache_id``."""
    return attribute_of(subject.caller.what_builds(subject.gate, plugin), name)


def attribute_of(build: Any, name: str) -> Any:
    """Return the value that C++ reads for an attribute of a build capability."""
    return instruments.read(build, IPluginV3OneBuild, name)
