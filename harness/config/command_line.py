"""Convert options from their JSON form to arguments of a command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.config.declarations import OPTIONS, Kind, Option, Use
from harness.config.options import default_of, plain


def changed(options: Mapping[str, Any]) -> Iterator[tuple[Option, str]]:
    """Yield each option that can change a verdict and differs from its default, once for each value, as text.

    ``options`` has the values by field, as JSON holds them. A missing option has its default.
    """
    for option in OPTIONS:
        usual = plain(default_of(option))
        value = options.get(option.field, usual)
        if Use.VERDICT in option.uses and value != usual:
            yield from ((option, text) for text in texts_of(option, value))


def texts_of(option: Option, value: Any) -> list[str]:
    """Return the arguments that set an option to a value; none for an empty value."""
    values = value if isinstance(value, list) else [each for each in (value,) if each not in {None, ""}]
    texts = [repr(each).removesuffix(".0") if isinstance(each, float) else str(each) for each in values]
    return [",".join(texts)] if texts and option.kind is Kind.TOOLS else texts
