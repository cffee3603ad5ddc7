"""Every witness is caught on a GPU, too; those of what only a GPU shows are caught here alone.

Each rule is asked alone, without those that it requires: on the host the witnesses show that these pass. All of it
takes minutes: with -m nightly, and some workers on one GPU (-n 6).
"""

import contextlib

import pytest

from harness.contract import catalogue
from harness.contract.interface import Interface
from harness.controller.children import device_routing
from harness.protocol.messages import ChildSettings, Request
from harness.results.run_plan import PluginPlan
from tests.support import matrix, witnesses
from tests.support.verdicts import broken_rules, in_words, isolation_of, results_of

WITNESSES = witnesses.witnesses()
#: Witnesses that show in a second process alone: a fork of a process that uses CUDA cannot use it.
IN_TWO_PROCESSES = {"plugin_examples.faulty.configuration.columns_of_all_plugins_kept_by_volume"}
ON_GPU = [module for module, witness in WITNESSES.items() if witness.on_gpu]


def fails_anywhere(module, rule):
    """Whether a rule, asked on a GPU, finds something wrong with any plugin of a module on any of its cases."""
    with contextlib.closing(isolation_of(ChildSettings(module, (".",)), device_routing.CUDA)) as child:
        plans = [PluginPlan.from_plain(data, module, data["key"]) for data in child.discover()["plugins"]]
        cases = [(plan.key, case) for plan in plans for case in plan.cases]
        requests = (Request(rule, key, case.name, inferred=case.plain) for key, case in cases)
        return any(child.ask(request).fails for request in requests)


@pytest.mark.parametrize("module", ON_GPU, ids=matrix.short)
def test_a_witness_of_what_only_a_gpu_shows_breaks_what_it_declares(module):
    witness = WITNESSES[module]
    declared = {witness.breaks, *witness.also}
    results = results_of(module, rules=declared, device=device_routing.CUDA)
    assert broken_rules(results) == declared, in_words(results, declared)


@pytest.mark.nightly
@pytest.mark.parametrize("module", [m for m in WITNESSES if m not in {*ON_GPU, *IN_TWO_PROCESSES}], ids=matrix.short)
def test_a_witness_is_caught_as_on_the_host(module):
    rule = WITNESSES[module].breaks
    known = catalogue.load()[rule]
    if known.strategy is None and Interface.APPLICATION not in known.interfaces:
        assert fails_anywhere(module, rule)
    else:  # it draws what it asks, or judges the trace of a program
        assert rule in broken_rules(results_of(module, rules=[rule], device=device_routing.CUDA))
