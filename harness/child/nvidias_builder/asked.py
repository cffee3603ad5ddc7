"""Declare the requests to the new interpreter, as records that JSON can hold."""

from __future__ import annotations

import base64
import dataclasses
from typing import Any

from harness.contract.codec import Record
from harness.protocol.messages import ChildSettings


@dataclasses.dataclass(frozen=True)
class WantedBuild(Record):
    """One build.

    Attributes:
        number: Its place among those of the case.
        types: The types of the case's data inputs.
        text: An ONNX model of one node, as base64.
        dimensions: For each input of dimensions that vary, minimum, optimum and maximum.
        values: The same for the values of each shape input.
    """

    number: int
    types: tuple[str, ...]
    text: str
    extents: dict[str, Any]
    values: dict[str, Any]

    @property
    def model(self) -> bytes:
        """The model."""
        return base64.b64decode(self.text)


@dataclasses.dataclass(frozen=True)
class Creator(Record):
    """The creator of the plugin, which the module registers or only defines."""

    name: str
    version: str
    namespace: str
    module: str
    cls: str


@dataclasses.dataclass(frozen=True)
class Asked(Record):
    """A task for a new interpreter: builds of one plugin.

    Attributes:
        settings: Those of the child that asks.
        runtime: The module that is bound to the name ``tensorrt``; empty for the reference runtime.
        creator: The creator of the plugin.
        builds: What to build, one after the other.
        times: How many times to build each.
    """

    settings: ChildSettings
    runtime: str
    creator: Creator
    builds: tuple[WantedBuild, ...]
    times: int = 2
