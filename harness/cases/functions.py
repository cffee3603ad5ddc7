"""Call the functions of a case, with the argument ``fields`` if they accept it."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def call_with_fields(function: Callable[..., Any], *arguments: Any, fields: Mapping[str, Any]) -> Any:
    """Call a function of a case, with the argument ``fields`` if it accepts that."""
    return function(*arguments, fields=dict(fields)) if takes_fields(function) else function(*arguments)


def takes_fields(function: Callable[..., Any]) -> bool:
    """Return whether a function accepts the argument ``fields``; true if its signature is unknown."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return True
    takes_any = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())
    named = parameters.get("fields")
    return takes_any or (named is not None and named.kind is not inspect.Parameter.POSITIONAL_ONLY)
