"""Build once by TensorRT's public API: parse a model, and make a plan of it.

The same function uses NVIDIA's packages and the reference runtime, so different results are due to these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from harness.child.nvidias_builder.asked import WantedBuild

#: A part of the message that TensorRT-RTX logs after another error on a machine without a GPU.
_NO_GPU: Final = "cudaError 35"
#: The GPUs that TensorRT-RTX builds for here: any that it supports will do.
_TARGET: Final = "SM89"

#: Called with the name of each step before it begins.
Step = Callable[[str], None]


def built(trt: Any, build: WantedBuild, step: Step) -> dict[str, Any]:
    """Build once, and return the results that `Seen` lists, except those about the plugin's calls."""
    log = _log(trt)
    step("parse")
    builder = trt.Builder(log)
    network = builder.create_network(_flags(trt))
    parser = trt.OnnxParser(network, log)
    seen: dict[str, Any] = {"parsed": bool(parser.parse(build.model)), "plan": False, "outputs": []}
    refusals = [parser.get_error(place).desc() for place in range(parser.num_errors)]
    if seen["parsed"]:
        outputs = [network.get_output(place) for place in range(network.num_outputs)]
        seen["outputs"] = [[tensor.dtype.name, list(tensor.shape)] for tensor in outputs]
        step("build")
        seen["plan"] = builder.build_serialized_network(network, _configuration(trt, builder, build)) is not None
    return {**seen, "errors": list(dict.fromkeys([*log.errors, *refusals]))}


def _flags(trt: Any) -> int:
    """Return the flags of a strongly typed network; TensorRT-RTX has no other networks, and no flag for them."""
    flag = getattr(trt.NetworkDefinitionCreationFlag, "STRONGLY_TYPED", None)
    return 0 if flag is None else 1 << int(flag)


def _configuration(trt: Any, builder: Any, build: WantedBuild) -> Any:
    config = builder.create_builder_config()
    if hasattr(config, "set_compute_capability"):  # TensorRT-RTX needs no GPU if the target is set
        config.num_compute_capabilities = 1
        config.set_compute_capability(getattr(trt.ComputeCapability, _TARGET), 0)
    aliasing = getattr(trt.PreviewFeature, "ALIASED_PLUGIN_IO_10_03", None)
    if aliasing is not None:
        config.set_preview_feature(aliasing, True)  # noqa: FBT003 - TensorRT's signature
    if build.extents or build.values:
        profile = builder.create_optimization_profile()
        for name, extents in build.extents.items():
            profile.set_shape(name, *map(tuple, extents))
        for name, values in build.values.items():
            profile.set_shape_input(name, *map(tuple, values))
        config.add_optimization_profile(profile)
    return config


def _log(trt: Any) -> Any:
    severities = (trt.ILogger.Severity.ERROR, trt.ILogger.Severity.INTERNAL_ERROR)

    class Log(trt.ILogger):  # type: ignore[misc]
        """Keeps errors."""

        def __init__(self) -> None:
            trt.ILogger.__init__(self)
            self.errors: list[str] = []

        def log(self, severity: Any, text: str) -> None:
            """Keep a message if it is an error, unless it is about a missing GPU."""
            if severity in severities and _NO_GPU not in text:
                self.errors.append(text)

    return Log()
