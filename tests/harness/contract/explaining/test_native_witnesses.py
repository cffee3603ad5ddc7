"""Excerpts of sources in C++ are plain C++, and their defects are sentences."""

import re

from harness.contract import catalogue
from harness.contract.explaining import explanation, witnesses
from harness.contract.explaining.native_witnesses import native_faults
from harness.contract.extra_tools import ALL

TEXT = """// FAULT loses_a_block  NAT-001  Allocates a block, and never frees it.
// FAULT is_null  CLN-006
#ifdef FAULT_loses_a_block
    delete[] kept(new float[size()]);
#elif defined(FAULT_is_null)
    return nullptr;
#endif
"""


def test_an_excerpt_has_no_helper_of_the_examples():
    block, null = native_faults({"a.cpp": TEXT})
    assert list(block.excerpts()) == [(4, ("    delete[] new float[size()];",))]
    assert list(null.excerpts()) == [(6, ("    return nullptr;",))]


def test_a_defect_is_its_sentence_or_its_name():
    assert [each.defect for each in native_faults({"a.cpp": TEXT})] == [
        "Allocates a block, and never frees it.",
        "Is null.",
    ]


def test_each_rule_about_cpp_explains_its_defect_in_a_sentence_and_in_plain_cpp():
    rules = {rule_id: rule for rule_id, rule in catalogue.load(ALL).rules.items() if rule.family == "NAT"}
    faults = [each for found in witnesses.by_rule(set(rules)).values() for each in found]
    assert all(each.defect.endswith(".") and each.defect.count(" ") > 3 for each in faults)  # a name has fewer words
    for rule in rules.values():
        shown = explanation.explanation(rule)
        assert "\nfaulty " in shown
        assert not re.search(r"FAULT|\bkept\(", shown)
