"""Remove from a violation's texts what changes with shapes or folders, so that the same defect has the same texts."""

from __future__ import annotations

import re

#: A separate number, and not the digits of a name such as float16, IPluginV3 or outputs[1].
_NUMBERS = re.compile(
    r"(?<!\boutputs\[)(?<!\binputs\[)(?<![\w.])-?(?:0x[0-9a-fA-F]+|\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?)(?!\w)"
)
#: A word, which may be the path of a file.
_WORD = re.compile(r"[^\s'\"]+")
_FILE = re.compile(r"\w\.\w")
#: Several marks of numbers in a row, which become one mark.
_ROW = re.compile(r"#(?:\s*,\s*#)*,?")


def without_numbers(text: str) -> str:
    """Return a text with a mark in place of each number, or of several in a row."""
    return _ROW.sub("#", _NUMBERS.sub("#", text))


def without_folders(text: str) -> str:
    """Return a text in which each path of a file is only the file's name."""

    def without_folder(word: re.Match[str]) -> str:
        last = word[0].rpartition("/")[2]
        return last if _FILE.search(last) else word[0]

    return _WORD.sub(without_folder, text)
