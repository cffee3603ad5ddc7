"""Define the error of a library that cannot be loaded."""

from __future__ import annotations


class LibraryError(RuntimeError):
    """A library cannot be loaded, or is for another version of TensorRT."""
