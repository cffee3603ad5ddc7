"""The JSON Schema of ``[tool.trt-conformance]``, for editors and validators; made of the options' declarations.

What it cannot know, the reader tells: whether files, rules and plugins are there, and whether options fit together.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness.config import options as values
from harness.config import pyproject
from harness.config.report_targets import ReportFormat
from harness.contract.api_level import ApiLevel
from harness.contract.sanitizer_tool import Tool
from harness.contract.thoroughness import Thoroughness
from pytest_trt_conformance import OPTIONS

if TYPE_CHECKING:
    import enum

    from pytest_trt_conformance import Option

DRAFT = "http://json-schema.org/draft-07/schema#"
_CHOICES: dict[str, type[enum.Enum]] = {
    "level": Thoroughness,
    "spec": ApiLevel,
    "fail-on": values.FailOn,
    "device": values.DeviceChoice,
    "addresses": values.AddressChoice,
    "isolation": values.IsolationChoice,
}
_FORMATS = "|".join(each.value for each in ReportFormat)
_TOOLS = "|".join(each.value for each in Tool)
#: The forms of texts, by metavar.
_PATTERNS = {
    "MODULE:FUNCTION": r"^.+:[^\W\d]\w*$",
    "FORMAT:PATH": f"^({_FORMATS}):.+$",
    "TOOLS": rf"^\s*({_TOOLS})\s*(,\s*({_TOOLS})\s*)*$",
    "PERCENT": r"^\d{0,2}\.?\d+%?$",
}


def text() -> str:
    """Return the schema as ``schemas/config.json`` has it, which ``tools/generate_pages.py`` writes."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def schema() -> dict[str, Any]:
    """Return the schema, of draft 7, which editors of TOML know."""
    own = {option.name: _property(option) for option in OPTIONS if option.name in pyproject.OVERRIDABLE}
    return {
        "$schema": DRAFT,
        "title": f"[tool.{pyproject.NAME}] of pyproject.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            **{option.name: _property(option) for option in OPTIONS},
            pyproject.PLUGIN: {
                "description": "Options of single plugins, each under its key (/Name/1) or its name.",
                "type": "object",
                "additionalProperties": {"type": "object", "additionalProperties": False, "properties": own},
            },
        },
    }


def _property(option: Option) -> dict[str, Any]:
    told = {"description": option.help.replace("%%", "%").replace("--plugin-", "")}
    if option.switch:
        return {**told, "type": "boolean"}
    one = _one(option)
    return {**told, "anyOf": [one, {"type": "array", "items": one}]} if option.repeatable else {**told, **one}


def _one(option: Option) -> dict[str, Any]:
    if option.name in _CHOICES:
        return {"enum": _words(_CHOICES[option.name])}
    if option.metavar == "NUMBER":
        return {"type": "integer", "minimum": 0 if option.name == "seed" else 1}
    if option.metavar == "SECONDS":
        return {"type": "number", "exclusiveMinimum": 0}
    pattern = _PATTERNS.get(option.metavar)
    return {"type": "string", "minLength": 1, **({"pattern": pattern} if pattern else {})}


def _words(kind: type[enum.Enum]) -> list[str | int | float]:
    """The words of an option, and as numbers those that are numbers."""
    words = [str(member.value) for member in kind]
    numbers = [float(word) for word in words if word.replace(".", "").isdecimal()]
    return [*(int(number) if number.is_integer() else number for number in numbers), *words]
