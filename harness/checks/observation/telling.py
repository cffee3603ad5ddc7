"""Format values and exceptions of a plugin for messages, even if their own ``str`` or ``repr`` raises."""

from __future__ import annotations

from reference_runtime.instruments import shown, text_of

__all__ = ["shown", "text_of"]
