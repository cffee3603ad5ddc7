"""Whose builder builds the plugins of a run beside the reference runtime."""

from __future__ import annotations

from harness.config.errors import UsageError
from harness.config.options import RuntimeChoice
from harness.process.nvidia_packages import RTX, of_choice


def settled(choice: RuntimeChoice) -> RuntimeChoice:
    """Return the choice of a run, which is never ``auto``.

    A machine without a wheel is no mistake of the user's. There the rules say why they did not run.

    Raises:
        UsageError: A package is wanted that is not installed.
    """
    if choice is RuntimeChoice.AUTO:
        return RuntimeChoice.RTX if RTX.has_wheel() and RTX.is_installed() else RuntimeChoice.REFERENCE
    package = of_choice(choice.value)
    if package is not None and package.has_wheel() and not package.is_installed():
        raise UsageError(
            f"--plugin-runtime={choice.value}: {package.product}, or onnx, is not installed: {package.install}"
        )
    return choice
