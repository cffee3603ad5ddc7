"""Write options in their JSON form as texts for a command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.config.declarations import OPTIONS, Kind, Option, Use
from harness.config.options import default_of, plain


def changed(options: Mapping[str, Any]) -> Iterator[tuple[Option, str]]:
    """Yield the options that change a verdict and differ from the default, each with a text for each value.

    ``options`` has their values by field, in the form that JSON holds; what it does not have is as usual.
    """
    for option in OPTIONS:
        usual = plain(default_of(option))
        value = options.get(option.field, usual)
        if Use.VERDICT in option.uses and value != usual:
            yield from ((option, text) for text in texts_of(option, value))


def texts_of(option: Option, value: Any) -> list[str]:
    """Return what a command line has for the value of an option: nothing where it holds nothing."""
    values = value if isinstance(value, list) else [each for each in (value,) if each not in {None, ""}]
    texts = [repr(each).removesuffix(".0") if isinstance(each, float) else str(each) for each in values]
    return [",".join(texts)] if texts and option.kind is Kind.TOOLS else texts
