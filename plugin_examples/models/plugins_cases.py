"""List the cases of the plugins; where a model says how they are used, their references count."""

from plugin_examples import circ_pad_cases, multi_tactic_cases

PLUGIN_CASES = [*circ_pad_cases.PLUGIN_CASES, *multi_tactic_cases.PLUGIN_CASES]
