"""The sound plugins that witnesses build upon break no rule themselves."""

import pytest

from tests.support import witnesses
from tests.support.verdicts import broken_rules, in_words, results_of

MODULE = """
from plugin_examples.faulty.bases import {home} as home
from plugin_examples.faulty.bases import {module} as sound

CASES = [value for name, value in vars(sound).items() if name.endswith("_CASES")]
CREATORS = [value for name, value in vars(sound).items() if name.endswith("Creator")]
PLUGIN_CASES = [*CASES, home.SCALE_CASES][0]
if hasattr(sound, "publish"):
    sound.publish(sound.{plugin})
else:
    home.publish(sound.{plugin}, CREATORS[-1] if CREATORS else home.ScaleCreator)
"""


def published(module, plugin):
    """Return a module that registers a base with the cases and the creator that are its own, or the plainest base's."""
    home = "sound_scale_v3" if module.endswith("_v3") else "sound_scale"
    return MODULE.format(home=home, module=module, plugin=plugin)


@pytest.fixture
def assert_breaks_nothing(tmp_path):
    def judge(module, plugin):
        file = tmp_path / f"published_{module}.py"
        file.write_text(published(module, plugin))
        results = results_of(str(file))
        assert results
        observed = broken_rules(results)
        assert not observed, in_words(results, observed)

    return judge


@pytest.mark.nightly
@pytest.mark.parametrize(("module", "plugin"), witnesses.sound_bases())
def test_a_sound_base_breaks_nothing(module, plugin, assert_breaks_nothing):
    assert_breaks_nothing(module, plugin)


def test_every_sound_module_has_a_base():
    files = {file.stem for file in (witnesses.FAULTY / "bases").glob("sound_*.py")}
    files -= {"sound_pipeline", "sound_places"}  # an application, and a table of state for witnesses
    files = {name for name in files if not name.endswith(("_qdp", "_aot"))}  # parts of decorated plugins
    assert {module for module, _ in witnesses.sound_bases()} == files
