"""Identify a defect by its texts without numbers, so that it is the same at different shapes."""

from __future__ import annotations

import re

#: A number on its own, not the digits of a name such as float16, IPluginV3 or outputs[1]; several in a row are one.
_NUMBERS = re.compile(
    r"(?<!\boutputs\[)(?<!\binputs\[)(?<![\w.])-?(?:0x[0-9a-fA-F]+|\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?)(?!\w)"
)
#: What may be the path of a file.
_WORD = re.compile(r"[^\s'\"]+")
_FILE = re.compile(r"\w\.\w")
_ROW = re.compile(r"#(?:\s*,\s*#)*,?")


def without_numbers(text: str) -> str:
    """Return a text with a mark in place of each number: what stays the same at other shapes."""
    return _ROW.sub("#", _NUMBERS.sub("#", text))


def without_folders(text: str) -> str:
    """Return a text with files named by their last part: what stays the same in another folder."""

    def without_folder(word: re.Match[str]) -> str:
        last = word[0].rpartition("/")[2]
        return last if _FILE.search(last) else word[0]

    return _WORD.sub(without_folder, text)
