"""Declare the builds that a new interpreter is asked for, as records that JSON can hold."""

from __future__ import annotations

import base64
import dataclasses
from typing import Any

from harness.contract.codec import Record
from harness.protocol.messages import ChildSettings


@dataclasses.dataclass(frozen=True)
class WantedBuild(Record):
    """One build of a case.

    Attributes:
        number: The index of the build among those of the case.
        types: The types of the case's data inputs.
        text: An ONNX model of one node, as base64.
        extents: Minimum, optimum and maximum dimensions of each input with dynamic dimensions, by name.
        values: Minimum, optimum and maximum values of each shape input, by name.
    """

    number: int
    types: tuple[str, ...]
    text: str
    extents: dict[str, Any]
    values: dict[str, Any]

    @property
    def model(self) -> bytes:
        """Return the bytes of the ONNX model."""
        return base64.b64decode(self.text)


@dataclasses.dataclass(frozen=True)
class Creator(Record):
    """The creator of the plugin: its key, and the module and name of its class."""

    name: str
    version: str
    namespace: str
    module: str
    cls: str


@dataclasses.dataclass(frozen=True)
class Asked(Record):
    """A task for a new interpreter: builds of one plugin.

    Attributes:
        settings: The settings of the child that asks.
        runtime: The module that the name ``tensorrt`` means; empty for the reference runtime.
        creator: The creator of the plugin.
        builds: The builds, one after the other.
        times: How often each build is repeated in a row.
    """

    settings: ChildSettings
    runtime: str
    creator: Creator
    builds: tuple[WantedBuild, ...]
    times: int = 2
