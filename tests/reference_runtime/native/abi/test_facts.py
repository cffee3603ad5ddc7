"""The table of facts is whole, and says what is known of each epoch from elsewhere."""

import pytest

from reference_runtime.native.abi.facts import EPOCHS, Epoch, epoch_of, version_number
from reference_runtime.native.abi.slots import Abi


@pytest.mark.parametrize("name", EPOCHS)
def test_every_structure_can_be_laid_out(name):
    assert Abi(name).structures.type_named("Dims") is not None


@pytest.mark.parametrize(("name", "enqueue"), [("8", 29), ("10", 29), ("11", 27)])
def test_enqueue_of_dynamic_plugins_has_its_slot(name, enqueue):
    assert Abi(name).slots["IPluginV2DynamicExt"]["enqueue/2"].number == enqueue


def test_the_destructor_takes_two_slots_where_it_is_declared():
    slots = Abi("10").slots
    assert [slots["IPluginV2"][name].number for name in ("~", "~/2")] == [17, 18]
    assert [slots["IPluginV3"][name].number for name in ("~", "~/2")] == [2, 3]


def test_a_method_that_epoch_11_took_away_is_not_there():
    assert Abi("10").has("IPluginV2Ext", "canBroadcastInputAcrossBatch")
    assert not Abi("11").has("IPluginV2Ext", "canBroadcastInputAcrossBatch")


def test_own_slots_follow_those_of_the_base():
    epoch = Epoch.of("10")
    own = epoch.own_slots("IPluginV2Ext")
    assert own[0].number == len(epoch.slots("IPluginV2"))
    assert own[0].name == "getOutputDataType"


def test_a_version_has_the_number_of_its_macro():
    assert (version_number("8.6.1"), version_number("10.16.0")) == (8601, 101600)


def test_major_versions_belong_to_epochs():
    assert [epoch_of(major) for major in (7, 8, 9, 10, 11, 12)] == [None, "8", "8", "10", "11", None]
