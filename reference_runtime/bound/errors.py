"""The exceptions that the reference runtime raises and TensorRT does not have."""

from __future__ import annotations


class NativeCrash(RuntimeError):  # noqa: N818 - it names what happens to the original, which is no error there
    """Raised where the genuine bindings kill the process.

    There is nothing to be faithful to after a segmentation fault, so all such
    places raise this one error. Its message says what was done.
    """


class ExpressionError(ValueError):
    """A dimension expression that has no value: a zero divisor, a missing input, or damaged data in a plan."""


class NeedsGpu(RuntimeError):  # noqa: N818 - read as a statement: this needs a GPU
    """Raised by what the host device cannot run; the message names the feature."""

    def __init__(self, feature: str) -> None:
        super().__init__(
            f"{feature} needs a GPU: the host device runs NumPy code only. "
            f"Run on a machine with a CUDA device, or leave the kernel out of this test."
        )
        self.feature = feature


class NeedsStandIn(NeedsGpu):
    """Raised by the launch of a kernel that the host cannot run and for which the case has no stand-in."""

    def __init__(self, kind: str, kernel: str, parameters: list[str] | None, others: list[str] | None = None) -> None:
        names = ", ".join(["launch", *(["..."] if parameters is None else parameters)])
        there = f"; the case's stand_ins are for {', '.join(others)}" if others else ""
        RuntimeError.__init__(
            self,
            f"the {kind} {kernel!r} needs a GPU: the host device runs NumPy code only. Run on a machine with a CUDA "
            f'device, or let a NumPy function stand in for it: "stand_ins": {{"{kernel}": function}} in the case, '
            f"with def function({names}){there}",
        )
        self.feature = f"the {kind} {kernel!r}"


class NeedsHost(RuntimeError):  # noqa: N818 - read as a statement: this needs the host device
    """Raised where a CUDA device cannot tell what the host device knows; the message names it."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: a GPU does not tell, the host device does (--plugin-device=host)")
        self.what = what


class HostShowsMore(NeedsHost):
    """Raised where a GPU has shown what it can of a question, and the host device shows more of it."""


class LevelError(ValueError):
    """An API level that there is not, or a second one in a process."""
