"""Write the JSON Schema of ``[tool.trt-conformance]`` from the options' declarations, for editors and validators.

A run checks more than a schema can: that files, rules and plugins exist, and that options fit together.
"""

from __future__ import annotations

import json
from typing import Any

from harness.config import pyproject
from harness.config.declarations import OPTIONS, Kind, Option
from harness.config.options import default_of
from harness.config.report_targets import ReportFormat
from harness.contract.sanitizer_tool import Tool

DRAFT = "http://json-schema.org/draft-07/schema#"
_FORMATS = "|".join(each.value for each in ReportFormat)
_TOOLS = "|".join(each.value for each in Tool)
#: Regular expressions for the texts of options, by kind.
_PATTERNS = {
    Kind.FUNCTION: r"^.+:[^\W\d]\w*$",
    Kind.REPORT: f"^({_FORMATS}):.+$",
    Kind.TOOLS: rf"^\s*({_TOOLS})\s*(,\s*({_TOOLS})\s*)*$",
    Kind.PERCENT: r"^\d{0,2}\.?\d+%?$",
}


def text() -> str:
    """Return the schema as ``trt-conformance schema config`` prints it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def schema() -> dict[str, Any]:
    """Return the schema, in draft 7, which editors of TOML support."""
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
    head = {"description": option.help.replace("%%", "%").replace("--plugin-", "")}
    if option.kind is Kind.SWITCH:
        return {**head, "type": "boolean"}
    one = _one(option)
    return {**head, "anyOf": [one, {"type": "array", "items": one}]} if option.repeatable else {**head, **one}


def _one(option: Option) -> dict[str, Any]:
    if option.kind in {Kind.LEVEL, Kind.WORD}:
        words = [str(member.value) for member in type(default_of(option))]
        numbers = [float(word) for word in words if word.replace(".", "").isdecimal()]
        return {"enum": [*(int(number) if number.is_integer() else number for number in numbers), *words]}
    if option.kind is Kind.NUMBER:
        return {"type": "integer", "minimum": option.least}
    if option.kind is Kind.SECONDS:
        return {"type": "number", "exclusiveMinimum": 0}
    pattern = _PATTERNS.get(option.kind)
    return {"type": "string", "minLength": 1, **({"pattern": pattern} if pattern else {})}
