import pytest

import reference_runtime as trt
from reference_runtime.calling.adapters.of_plugin import interface_of
from reference_runtime.calling.adapters.version_2 import DYNAMIC, IMPLICIT_BATCH
from reference_runtime.calling.adapters.version_3 import DECORATED, V3
from reference_runtime.values.enums_layers import LayerType


class Decorated(trt.IPluginV3, trt.IPluginV3QuickCore):
    def __init__(self):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3QuickCore.__init__(self)


class OfBoth(trt.IPluginV2DynamicExt, trt.IPluginV3):
    def __init__(self):
        trt.IPluginV2DynamicExt.__init__(self)
        trt.IPluginV3.__init__(self)


@pytest.mark.parametrize(
    ("cls", "adapter"),
    [
        (trt.IPluginV2, IMPLICIT_BATCH),
        (trt.IPluginV2Ext, IMPLICIT_BATCH),
        (trt.IPluginV2IOExt, IMPLICIT_BATCH),
        (trt.IPluginV2DynamicExt, DYNAMIC),
        (trt.IPluginV3, V3),
        (Decorated, DECORATED),
    ],
)
def test_each_interface_has_an_adapter(cls, adapter):
    assert interface_of(type("Derived", (cls,), {})(), adapter.kind) is adapter


def test_a_plugin_of_both_versions_is_what_it_was_added_as():
    assert interface_of(OfBoth(), LayerType.PLUGIN_V2) is DYNAMIC
    assert interface_of(OfBoth(), LayerType.PLUGIN_V3) is V3
