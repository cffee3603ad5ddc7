"""Run the tactics of an ``IPluginV3``: which it advertises, which it takes, and its results with each."""

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


class Offer(msgspec.Struct, frozen=True):
    """The tactics that a plugin advertises for one combination, or the failure of ``get_valid_tactics``."""

    combination: Combination
    tactics: tuple[int, ...]
    failure: Failure | None = None

    def __str__(self) -> str:
        return f"configured for {self.combination}"


def offers(subject: Subject) -> Iterator[Offer]:
    """Yield what a new plugin advertises for each combination that it accepts, up to some."""
    for combination in case_combinations(subject):
        yield offer_of(Driver(subject, subject.create(), combination))


def offer_of(driver: Driver) -> Offer:
    """Configure the driver's plugin for the build, and ask for its tactics; that they fail is part of the answer."""
    with leniently(driver.gate) as failures:
        driver.caller.configure(driver.gate, driver.plugin, *driver.tensors.build_bounds())
    for failure in failures:
        stop_for_want_of_a_gpu(failure)
        if failure.method != "get_valid_tactics":
            raise_for(failure)
    return Offer(driver.combination, ask_again(driver), failures[0] if failures else None)


def ask_again(driver: Driver) -> tuple[int, ...]:
    """Ask a configured plugin for its tactics; none where that fails."""
    build = driver.caller.what_builds(driver.gate, driver.plugin)
    with leniently(driver.gate):
        return tuple(v3.get_valid_tactics(driver.gate, build) or ())


def advertised(subject: Subject) -> list[Offer]:
    """Return the offers with tactics.

    Raises:
        NotApplicable: The plugin advertises none.
    """
    found = [offer for offer in offers(subject) if offer.tactics]
    if not found:
        raise NotApplicable("the plugin advertises no tactics")
    return found


def ready_with(subject: Subject, combination: Combination, tactic: int) -> Driver:
    """Return a driver for an object in a context that runs with the tactic."""
    driver = Driver(subject, subject.create(), combination).configure_for_build()
    driver.tactic = tactic
    return driver.initialize()


def refusal_of(driver: Driver, tactic: int = DEFAULT_TACTIC) -> str:
    """Return how an object in a context refuses a tactic; empty where it takes it."""
    with leniently(driver.gate) as failures:
        v3.set_tactic(driver.gate, driver.caller.what_runs(driver.gate, driver.plugin), tactic)
    if failures:
        stop_for_want_of_a_gpu(failures[0])
    return failures[0].what if failures else ""


def set_tactic(driver: Driver, tactic: int) -> None:
    """Choose another tactic for an object in a context.

    Raises:
        CallbackFailedError: ``set_tactic`` failed.
    """
    with strictly(driver.gate):
        v3.set_tactic(driver.gate, driver.caller.what_runs(driver.gate, driver.plugin), tactic)


def build_attribute(subject: Subject, plugin: Any, name: str) -> Any:
    """Return what C++ reads of an attribute of the build capability: ``timing_cache_id``."""
    return attribute_of(subject.caller.what_builds(subject.gate, plugin), name)


def attribute_of(build: Any, name: str) -> Any:
    """Return what C++ reads of an attribute of a build capability."""
    return instruments.read(build, IPluginV3OneBuild, name)
