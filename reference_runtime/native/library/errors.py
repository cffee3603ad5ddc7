"""Define the reasons why a library cannot be certified."""

from __future__ import annotations


class LibraryError(RuntimeError):
    """A library cannot be loaded or is for another TensorRT; the message says what to do."""
