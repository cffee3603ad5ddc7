"""Write a failing example as a script that needs only the plugin, NumPy and the reference runtime."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.checks.formats.aliasing import aliases_of
from harness.checks.observation.comparing import tolerance_of
from harness.checks.running.driver import Driver
from harness.checks.sampling.oracle import reference_outputs
from harness.checks.sampling.sampling import drawn_shapes
from harness.checks.shapes.shapes import network_plugin, sizing_outputs
from harness.child.script import text
from harness.contract.finding import NotRun
from harness.contract.interface import DECORATED, IMPLICIT_BATCH, VERSION_3

if TYPE_CHECKING:
    import numpy.typing as npt

    from harness.checks.sampling.sampling import Shapes
    from harness.subject.subject import Subject

#: If all inputs together have more elements, the script generates random data instead of holding the example's.
_MOST = 1 << 15
#: Types whose values a script would have to convert.
_CONVERTED = {"BF16", "INT8"}
_NO_NUMBER = re.compile(r"\b(?:nan|inf)\b")


def script_of(subject: Subject, example: Any, *, title: str, path: Sequence[str], module: str) -> str:
    """Return the text of a script that runs the subject at the example's shapes.

    Raises:
        NotRun: The example has no shapes of the case, or the plugin has tensors that a script cannot fill.
    """
    if not isinstance(example, dict) or set(example) not in ({"sequence"}, {"shapes"}):
        raise NotRun("a script runs a plugin at shapes of its case, which the example has not: use replay without it")
    sequence = example.get("sequence") or [example["shapes"]]
    if subject.interface in DECORATED:
        raise NotRun("a script of a decorated plugin is not written: use replay without it")
    case, driver = subject.case, Driver(subject, subject.create())
    types = [dtype.name for dtype, _ in driver.combination.inputs]
    if _CONVERTED & {dtype.name for dtype, _ in driver.combination.forms}:
        raise NotRun("a script cannot be written of BF16 or INT8 tensors: use replay without it")
    if subject.interface in IMPLICIT_BATCH:
        raise NotRun(
            "a script has a network with an explicit batch, which this plugin is not for: use replay without it"
        )
    if case.shape_inputs and _is_told(subject):
        raise NotRun("a script of shape inputs and size tensors would be too long: use replay without it")
    runs = ", ".join(_run(driver, drawn_shapes(case, shapes)) for shapes in sequence)
    is_new = subject.interface in VERSION_3
    tolerance = tolerance_of(case, driver.tensors.output_types[0])
    return text.TEMPLATE.format(
        **_pieces(subject, types),
        title=title,
        path=list(path),
        load=_load(module),
        types=types,
        profile=[entry.profile for entry in case.data_inputs],
        dims=[entry.network_dims for entry in case.data_inputs],
        runs=_NO_NUMBER.sub(r"np.\g<0>", runs),
        fields=", ".join(
            f"trt.PluginField({each.name!r}, np.array({each.data.tolist()!r}, np.{each.data.dtype.name}), "
            f"trt.PluginFieldType.{each.type.name})"
            for each in subject.fields
        ),
        finder="get_creator" if is_new else "get_plugin_creator",
        adder="add_plugin_v3" if is_new else "add_plugin_v2",
        phase=", trt.TensorRTPhase.BUILD" if is_new else "",
        name=case.plugin,
        version=case.version,
        namespace=case.namespace,
        rtol=tolerance.rtol,
        atol=tolerance.atol,
    )


def _pieces(subject: Subject, types: Sequence[str]) -> dict[str, str]:
    """Return the pieces of the text that depend on the plugin's inputs and outputs."""
    sizes, is_told = subject.case.shape_inputs, _is_told(subject)
    memory = f"device.allocate({text.ROOM_TOLD if is_told else text.ROOM})"
    described = [(entry.types[0].upper(), entry.network_dims, entry.profile) for entry in sizes]
    configured = text.PROFILE_OF_SIZES * bool(sizes) + text.ALIASING * bool(aliases_of(subject))
    return {
        "made_sizes": text.SIZES.format(described=described) if sizes else "",
        "sizes": ("list(sizes_of(network, values)), " if sizes else "[], ") * (subject.interface in VERSION_3),
        "configured": configured + text.HALVES * ("HALF" in types),
        "bound_sizes": text.BOUND_SIZES * bool(sizes),
        "names": text.NAMES_BUT_SIZES if sizes else text.NAMES,
        "allocator": text.TOLD * is_told,
        "bound_allocator": text.BOUND_TOLD * is_told,
        "agrees": text.AGREES_WITH_TOLD if is_told else "stated == shape",
        "memory": text.MEMORY_ALIASED.format(memory=memory) if aliases_of(subject) else memory,
    }


def _is_told(subject: Subject) -> bool:
    """Return whether the shape of an output depends on data, so that the runtime reports it only after the run."""
    return any(map(sizing_outputs, network_plugin(subject)[1]))


def _run(driver: Driver, shapes: Shapes) -> str:
    """Return one element of RUNS: the shapes, the data, and the expected outputs.

    The data are None if they are too many; the outputs are None without a reference.
    """
    arrays = driver.tensors.draw(shapes)
    if sum(array.size for array in arrays) > _MOST:
        return f"({shapes!r}, None, None)"
    case = driver.subject.case
    expected = None
    if case.reference is not None:
        expected = [(array.shape, _listed(array)) for array in reference_outputs(case, shapes, arrays)]
    return f"({shapes!r}, {[_listed(each) for each in arrays]!r}, {expected!r})"


def _listed(array: npt.NDArray[Any]) -> list[Any]:
    """Return the elements of an array as Python numbers; those of floats with nine digits."""
    elements = array.ravel()
    return [float(f"{float(each):.9g}") for each in elements] if array.dtype.kind == "f" else elements.tolist()


def _load(module: str) -> str:
    """Return the lines of the script that import the module, which the user named by name or file."""
    if not module.endswith(".py"):
        return f"importlib.import_module({module!r})"
    return "\n".join(
        (
            f'spec = importlib.util.spec_from_file_location("plugin_under_test", {str(Path(module).absolute())!r})',
            "sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)",
            "spec.loader.exec_module(module)",
        )
    )
