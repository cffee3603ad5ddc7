"""Represent C++ resources that plugins share through the registry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.interfaces.resources import IPluginResource
from reference_runtime.native.proxies.proxy import Proxy

if TYPE_CHECKING:
    from reference_runtime.native.proxies.objects import Objects


class NativeResource(Proxy, IPluginResource):
    """An ``IPluginResource`` in C++."""

    def __init__(self, objects: Objects, this: int) -> None:
        IPluginResource.__init__(self)
        self.begin(objects, this, "IPluginResource")

    def clone(self) -> Any:
        """Return an initialised copy to be registered."""
        return self.objects.proxy(NativeResource, self.call("clone"))

    def release(self) -> None:
        """Free the memory of a clone."""
        self.succeed("release")
