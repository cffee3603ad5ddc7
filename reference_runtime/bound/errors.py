"""The exceptions that the reference runtime raises and TensorRT does not have."""

from __future__ import annotations


class NativeCrash(RuntimeError):  # noqa: N818 - the genuine bindings crash, and raise no error
    """Raised where the genuine bindings crash or abort the process.

    The message says which call would cause the crash.
    """


class ExpressionError(ValueError):
    """A dimension expression without a value: a zero divisor, a missing input, or damaged data in a plan."""


class NeedsGpu(RuntimeError):  # noqa: N818 - read as a statement: this needs a GPU
    """Raised by features that the host device cannot run; the message names the feature.

    Attributes:
        feature: What cannot run.
        in_applications: The message for an application, which runs on the host device, also where there is a GPU.
    """

    def __init__(self, feature: str, remedy: str = "leave the kernel out of this test.") -> None:
        reason = f"{feature} needs a GPU: the host device runs NumPy code only."
        super().__init__(f"{reason} Judge the plugin on a machine with a CUDA device, or {remedy}")
        self.feature = feature
        self.in_applications = f"{reason} An application is judged on the host device, also with a GPU: {remedy}"


class NeedsPackage(NeedsGpu):
    """Raised by the stand-in for a package that is not installed; ``name`` is the function that was called."""

    def __init__(self, name: str) -> None:
        RuntimeError.__init__(
            self, f"{name} is called, but its package is only a stand-in (--plugin-stub): install it to check this"
        )
        self.feature = name
        self.in_applications = str(self)


class NeedsStandIn(NeedsGpu):
    """Raised by the launch of a kernel that the host cannot run, if the case has no stand-in for it."""

    def __init__(self, kind: str, kernel: str, parameters: list[str] | None, others: list[str] | None = None) -> None:
        names = ", ".join(["launch", *(["..."] if parameters is None else parameters)])
        hint = f"; the case's stand_ins are for {', '.join(others)}" if others else ""
        super().__init__(
            f"the {kind} {kernel!r}",
            f'give a NumPy function as its stand-in. Write "stand_ins": {{"{kernel}": function}} in the case, '
            f"with def function({names}){hint}",
        )


class NeedsHost(RuntimeError):  # noqa: N818 - read as a statement: this needs the host device
    """Raised if an answer needs a record that the host device keeps and a CUDA device does not.

    The message names the record.
    """

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: a GPU does not record this, the host device does (--plugin-device=host)")
        self.what = what


class HostShowsMore(NeedsHost):
    """Raised if a GPU shows a part of an answer, and only the host device shows the rest."""


class LevelError(ValueError):
    """An API level does not exist, or the process uses another level already."""
