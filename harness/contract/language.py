"""List the languages that plugins are written in: some rules concern only one of them."""

from __future__ import annotations

import enum
from typing import Final


class Language(enum.Enum):
    """A language, as messages name it."""

    PYTHON = "Python"
    CPP = "C++"


ALL_LANGUAGES: Final = frozenset(Language)
PYTHON: Final = frozenset({Language.PYTHON})
"""For rules about TensorRT's Python bindings."""
CPP: Final = frozenset({Language.CPP})
"""For rules about memory that plugins in C++ manage, and Python manages by itself."""
