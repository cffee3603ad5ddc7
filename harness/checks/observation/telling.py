"""Show in a message what a plugin returned or raised, also if the value's own ``str`` or ``repr`` raises."""

from __future__ import annotations

from reference_runtime.instruments import shown, text_of

__all__ = ["shown", "text_of"]
