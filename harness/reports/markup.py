"""Escape text from plugins for Markdown, so that no character has a special meaning."""

from __future__ import annotations

import re


def fenced(text: str) -> str:
    """Return text as a block of code."""
    fence = "`" * max(3, _longest(text) + 1)
    return f"{fence}text\n{text}\n{fence}"


def code(text: str) -> str:
    """Return text as code within a line, or within a cell of a table."""
    line = " ".join(text.split()).replace("|", "\\|")
    fence = "`" * (_longest(line) + 1)
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}"


def _longest(text: str) -> int:
    """Return the length of the longest run of backquotes."""
    return max(map(len, re.findall("`+", text)), default=0)
