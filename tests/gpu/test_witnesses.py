"""Every witness is caught on a GPU, too; those of what only a GPU shows are caught here alone.

All of them take minutes: with -m exhaustive, and with some workers on one GPU (-n 4).
"""

import pytest

from harness import devices
from tests.conformance import matrix, witnesses
from tests.conformance.verdicts import broken_rules, in_words, results_of

WITNESSES = witnesses.witnesses()
ON_GPU = [module for module, witness in WITNESSES.items() if witness.on_gpu]


def assert_breaks_what_it_declares(module):
    witness = WITNESSES[module]
    declared = {witness.breaks, *witness.also}
    results = results_of(module, rules=declared, device=devices.CUDA)
    assert broken_rules(results) == declared, in_words(results, declared)


@pytest.mark.parametrize("module", ON_GPU, ids=matrix.short)
def test_a_witness_of_what_only_a_gpu_shows_breaks_what_it_declares(module):
    assert_breaks_what_it_declares(module)


@pytest.mark.exhaustive
@pytest.mark.parametrize("module", [m for m in WITNESSES if m not in ON_GPU], ids=matrix.short)
def test_a_witness_breaks_the_same_as_on_the_host(module):
    assert_breaks_what_it_declares(module)
