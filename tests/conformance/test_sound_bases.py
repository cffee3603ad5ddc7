"""The sound plugins that witnesses build upon break no rule themselves."""

import pytest

from tests.conformance.verdicts import broken_rules, in_words, results_of

MODULE = """
from plugin_examples.faulty.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.{module} import {plugin}

PLUGIN_CASES = SCALE_CASES
publish({plugin})
"""


@pytest.mark.parametrize(
    ("module", "plugin"),
    [
        ("sound_scale", "Scale"),
        ("sound_owner", "Owner"),
        ("sound_scratch", "ScratchScale"),
        ("sound_sized", "SizedScale"),
        ("sound_table", "TableScale"),
        ("sound_tuned", "TunedScale"),
    ],
)
def test_a_sound_base_breaks_nothing(module, plugin, tmp_path):
    file = tmp_path / f"published_{module}.py"
    file.write_text(MODULE.format(module=module, plugin=plugin))
    results = results_of(str(file))
    assert results
    observed = broken_rules(results)
    assert not observed, in_words(results, observed)
