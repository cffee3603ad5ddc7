"""The measured cases of lifetimes: who is freed when C++ lets go, and what a second release does."""

from __future__ import annotations

import gc
import sys
import weakref

import reference_runtime as trt
from reference_runtime.calling.trampolines import v2 as trampolines
from reference_runtime.calling.trampolines import v3 as trampolines_v3
from tests.support.runtime import fault_driving as driving
from tests.support.runtime.fault_plugins import v2_class, v3_class
from tests.support.runtime.fault_scripts import SCRIPTS, V2, script, v2, v3

__all__ = ["SCRIPTS"]


def told(cls, tape):
    """Make a class whose objects tell of their end."""
    names = iter(["original", "clone"])

    class Told(cls):
        def __init__(self):
            super().__init__()
            weakref.finalize(self, tape.append, f"python object freed: {next(names)}").atexit = False

    Told.clone = lambda self: type(self)()
    Told.destroy = lambda _self: tape.append("destroy() called")
    return Told


def create_clone_release(gate, cls, clone, destroy):
    tape = []
    original = driving.own(gate, told(cls, tape)())
    tape.append("created")
    copy = clone(gate, original)
    tape.append("cloned")
    held = {"clone": copy, "original": original}
    del copy, original
    for name in list(held):
        destroy(gate, held[name])
        del held[name]
        gc.collect()
        tape.append(f"C++ released {name}")
    return tape


@script(V2, "lifetime", "create_clone_destroy")
def _(gate):
    return create_clone_release(gate, v2_class(log=False), trampolines.clone, trampolines.destroy)


@script("IPluginV3", "lifetime", "create_clone_destructor_only")
def _(gate):
    return create_clone_release(gate, v3_class(log=False), trampolines_v3.clone, trampolines_v3.destroy)


def keep_a_reference(gate, cls, destroy, *, read):
    """Release what Python still refers to: it stays as good as new, and C++ holds one reference less."""
    plugin = driving.own(gate, cls())
    before = sys.getrefcount(plugin)
    destroy(gate, plugin)
    if sys.getrefcount(plugin) != before - 1:
        return f"{before} references before, {sys.getrefcount(plugin)} after"
    if read and plugin.num_outputs != 1:
        return f"num_outputs reads {plugin.num_outputs}"
    del plugin
    return "Python reference dropped without a crash"


for _iface, _cls, _destroy, _end in (
    (V2, v2_class, trampolines.destroy, ""),
    ("IPluginV3", v3_class, trampolines_v3.destroy, "_destructor_only"),
):
    for _how in ("drop", "attr"):
        SCRIPTS[_iface, "lifetime", f"python_keeps_reference_{_how}{_end}"] = (
            lambda gate, cls=_cls, destroy=_destroy, how=_how: keep_a_reference(
                gate, cls(log=False), destroy, read=how == "attr"
            )
        )


@script(V2, "lifetime", "destroy_twice")
def _(gate):
    plugin = driving.own(gate, v2())
    trampolines.destroy(gate, plugin)
    trampolines.destroy(gate, plugin)


@script("IPluginV3", "lifetime", "destructor_twice")
def _(gate):
    plugin = driving.own(gate, v3())
    trampolines_v3.destroy(gate, plugin)
    trampolines_v3.destroy(gate, plugin)


@script("IPluginV3", "lifetime", "capability_temporary_is_leaked_not_freed")
def _(gate):
    freed = []

    def get_capability_interface(_self, _kind):
        core = trt.IPluginV3OneCore()
        core.plugin_name = "N"
        weakref.finalize(core, freed.append, "core").atexit = False
        return core

    plugin = v3(get_capability_interface=get_capability_interface)
    core = weakref.ref(trampolines_v3.capability(gate, plugin, driving.CORE))
    gc.collect()
    return {"freed": freed, "name": trampolines_v3.plugin_name(gate, core())}
