"""OnnxParser: reads an ONNX model into a network; and ParserError, the class of its errors."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.application.error_recorder import Recorder
from reference_runtime.bound.bound_class import attribute, made, pybind11_object, state
from reference_runtime.bound.conversions import buffer, c_string, instance, int32, int64, integer, size_t, string
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.overloads import Overload, accessor, bound, bound_function, constructor
from reference_runtime.builder.config import IBuilderConfig
from reference_runtime.network.graph.graph import graph_of
from reference_runtime.network.layers.tensors import ITensor, bound_tensor
from reference_runtime.network.public.network import INetworkDefinition
from reference_runtime.onnx.importing.files import LOADING, load, read_file
from reference_runtime.onnx.importing.importer import Importer
from reference_runtime.onnx.importing.operators import IMPORTED
from reference_runtime.onnx.importing.status import ImportFailed, Status
from reference_runtime.operations.onnx.library import data_type, library
from reference_runtime.values.enums import ErrorCode
from reference_runtime.values.enums_building import OnnxParserFlag
from reference_runtime.values.logger import ILogger, deliver

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.network.graph.graph import Graph

_VERSION: Final = 100
"""NV_ONNX_PARSER_VERSION: major, minor and patch as 0.1.0."""
_SELF: Final = "(self: OnnxParser"
_MODEL: Final = f"{_SELF}, model: typing_extensions.Buffer, path: str = None) ->"
_ERROR: Final = "(self: ParserError) ->"
_FLAG: Final = "flag: nvonnxparser::OnnxParserFlag"
_INDEX: Final = "index: typing.SupportsInt"
_NOT_EMPTY: Final = "Parse was called with a non-empty network definition"


def _status(error: ParserError) -> Status:
    status: Status = state(error)["_status"]
    return status


class ParserError(pybind11_object, bound=True):
    """An error of an ONNX parser."""

    @bound(Overload(f"{_ERROR} ErrorCode"))
    def code(self) -> ErrorCode:
        """Return the kind of error."""
        return _status(self).code

    @bound(Overload(f"{_ERROR} str"))
    def desc(self) -> str:
        """Return the error in words."""
        return _status(self).desc

    @bound(Overload(f"{_ERROR} str"))
    def file(self) -> str:
        """Return the file of the parser's source that the error comes from, or the name of the input concerned."""
        return _status(self).file

    @bound(Overload(f"{_ERROR} int"))
    def line(self) -> int:
        """Return 0 as the line in that file: the parser of this runtime has other source files."""
        return 0

    @bound(Overload(f"{_ERROR} str"))
    def func(self) -> str:
        """Return the function of the parser that the error comes from."""
        return _status(self).func

    @bound(Overload(f"{_ERROR} int"))
    def node(self) -> int:
        """Return the number of the node that the error is about; -1 for none."""
        return _status(self).node

    @bound(Overload(f"{_ERROR} str"))
    def node_name(self) -> str:
        """Return that node's name."""
        return _status(self).node_name

    @bound(Overload(f"{_ERROR} str"))
    def node_operator(self) -> str:
        """Return that node's operator."""
        return _status(self).node_operator

    @bound(Overload(f"{_ERROR} list[str]"))
    def local_function_stack(self) -> list[str]:
        """Return the local functions around the node, the outermost first."""
        return list(_status(self).stack)

    @bound(Overload(f"{_ERROR} int"))
    def local_function_stack_size(self) -> int:
        """Return the number of local functions around the node."""
        return len(_status(self).stack)

    def __str__(self) -> str:
        """Return the error with the node that it is about."""
        return str(_status(self))

    __repr__ = __str__


def _graph(parser: OnnxParser) -> Graph:
    return graph_of(state(parser)["_network"])


def _errors(parser: OnnxParser) -> list[Status]:
    errors: list[Status] = state(parser)["_errors"]
    return errors


def _importer(parser: OnnxParser) -> Importer | None:
    importer: Importer | None = state(parser)["_importer"]
    return importer


def imported(parser: OnnxParser) -> Importer | None:
    """Return the result of the last parse, which maps the model's nodes to layers."""
    return _importer(parser)


def _log(parser: OnnxParser, severity: Any, text: str) -> None:
    deliver(state(parser)["_logger"], severity, text)


def _report(parser: OnnxParser, status: Status) -> None:
    """Keep an error, and report it to the network's recorder or to the logger."""
    graph = _graph(parser)
    _errors(parser).append(status)
    if graph.error_recorder is None:
        _log(parser, ILogger.ERROR, str(status))
    else:
        Recorder(graph.gate, graph.error_recorder).report(status.recorded, str(status))


def _attempted(parser: OnnxParser, work: Callable[[], None]) -> bool:
    """Do ``work``; if it fails, keep the error and return False."""
    try:
        work()
    except ImportFailed as failed:
        _report(parser, failed.status)
        return False
    return True


def _import(parser: OnnxParser, model: Any) -> None:
    held = state(parser)
    native_first = held["_flags"] >> _PREFER_PLUGINS & 1 == 0
    importer = held["_importer"] = Importer(
        _graph(parser),
        held["_network"].builder.get_plugin_registry(),
        prefer_plugins=not native_first,
        say=lambda text: _log(parser, ILogger.INFO, text),
        warn=lambda text: _log(parser, ILogger.WARNING, text),
    )
    try:
        importer.run(model, held["_loaded"])
    except ImportFailed:
        _errors(parser).extend(importer.errors)
        raise
    for output in model.graph.output:
        _set_output_type(parser, output)


_PREFER_PLUGINS: Final = 3
"""OnnxParserFlag.ENABLE_PLUGIN_OVERRIDE, which TensorRT 8.6 does not have."""


def _set_output_type(parser: OnnxParser, output: Any) -> None:
    """Give an output of a weakly typed network the type that the model declares."""
    graph = _graph(parser)
    declared = data_type(int(output.type.tensor_type.elem_type))
    tensor = next(each for each in graph.outputs if each.name == output.name)
    if not graph.strongly_typed and declared is not None and tensor.dtype != declared:
        bound_tensor(graph, state(parser)["_network"], tensor).dtype = declared


def _parse(parser: OnnxParser, data: bytes, path: str | None) -> bool:
    if _graph(parser).layers:
        _log(parser, ILogger.ERROR, _NOT_EMPTY)
        return False
    return _attempted(parser, lambda: _import(parser, load(data, path)))


def _supported(parser: OnnxParser, data: bytes, path: str | None) -> tuple[bool, list[tuple[list[int], bool]]]:
    """Return whether a model can be imported, and its importable parts.

    A part is a list of numbers of consecutive nodes, and whether it is the whole model.
    """
    before = len(_errors(parser))
    done = _parse(parser, data, path)
    errors = _errors(parser)[before:]
    bad = {status.node for status in errors}
    nodes = load(data, path).graph.node if not any(status.func == LOADING for status in errors) else ()
    inputs = {status.file for status in errors if status.node < 0}
    parts: list[tuple[list[int], bool]] = []
    fresh = True
    for index, node in enumerate(nodes):
        if index in bad or not inputs.isdisjoint(node.input):
            fresh = True
            continue
        if fresh:
            parts.append(([], False))
            fresh = False
        parts[-1][0].append(index)
    if done and len(parts) == 1:
        parts = [(parts[0][0], True)]
    return done, parts


def nth_error(parser: object, errors: Sequence[Status], index: int) -> ParserError:
    """Return an error of a parser by its index; raise NativeCrash for an index out of range."""
    if not 0 <= index < len(errors):
        raise NativeCrash(
            f"get_error({index}) was called with {len(errors)} errors: the genuine bindings read beside them. "
            f"Ask for 0 to num_errors - 1."
        )
    return made(ParserError, _status=errors[index], _parser=parser)


def _part(parser: OnnxParser, index: int) -> tuple[list[int], bool] | None:
    parts: list[tuple[list[int], bool]] = state(parser)["_parts"]
    if 0 <= index < len(parts):
        return parts[index]
    why = (
        f"Query index {index} exceeds subgraph support vector (size = {len(parts)}). Have you called supports_model_v2?"
    )
    _report(parser, Status(ErrorCode.INVALID_VALUE, f"Assertion failed: {why}", "isSubgraphSupported"))
    return None


class OnnxParser(pybind11_object, bound=True):
    """A reader of ONNX models."""

    @constructor(
        Overload(
            f"{_SELF}, network: INetworkDefinition, logger: ILogger) -> None",
            instance(INetworkDefinition),
            instance(ILogger),
        )
    )
    def __init__(self, network: INetworkDefinition, logger: ILogger) -> None:
        library()
        state(self).update(_network=network, _logger=logger, _errors=[], _importer=None, _flags=1, _parts=[])
        state(self).update(_model=None, _loaded={}, _config=None)

    num_errors = attribute(lambda self: len(_errors(self)))
    num_subgraphs = attribute(lambda self: len(state(self)["_parts"]))
    flags = accessor(
        f"{_SELF}, arg0: typing.SupportsInt) -> None",
        lambda self: state(self)["_flags"],
        lambda self, flags: state(self).update(_flags=flags),
        integer(32, signed=False),
    )

    @bound(Overload(f"{_MODEL} bool", buffer, c_string, defaults=[None]))
    def parse(self, model: bytes, path: str | None) -> bool:
        """Read a model into an empty network; other files with its data are looked for beside the file ``path``."""
        return _parse(self, model, path)

    @bound(Overload(f"{_SELF}, model: typing_extensions.Buffer) -> bool", buffer))
    def parse_with_weight_descriptors(self, model: bytes) -> bool:
        """Read a model into the network, even into one that has layers."""
        return _attempted(self, lambda: _import(self, load(model, None)))

    @bound(Overload(f"{_SELF}, model: str) -> bool", string))
    def parse_from_file(self, model: str) -> bool:
        """Read a model from a file into the network."""
        data = read_file(model, lambda text: _log(self, ILogger.ERROR, text))
        return data is not None and _attempted(self, lambda: _import(self, load(data, model)))

    @bound(Overload(f"{_SELF}, op_name: str) -> bool", string))
    def supports_operator(self, name: str) -> bool:
        """Return whether the parser imports an operator itself; any other operator needs a plugin."""
        return name in IMPORTED

    @bound(Overload(f"{_MODEL} tuple[bool, list[tuple[list[int], bool]]]", buffer, c_string, defaults=[None]))
    def supports_model(self, model: bytes, path: str | None) -> tuple[bool, list[tuple[list[int], bool]]]:
        """Try to import a model; return whether that worked, and the parts of it that can be imported."""
        return _supported(self, model, path)

    @bound(Overload(f"{_MODEL} bool", buffer, c_string, defaults=[None]))
    def supports_model_v2(self, model: bytes, path: str | None) -> bool:
        """Try to import a model; ``is_subgraph_supported`` and ``get_subgraph_nodes`` then describe its parts."""
        done, state(self)["_parts"] = _supported(self, model, path)
        return done

    @bound(Overload(f"{_SELF}, {_INDEX}) -> bool", int64))
    def is_subgraph_supported(self, index: int) -> bool:
        """Return whether a part is the whole model, which can be imported."""
        part = _part(self, index)
        return part is not None and part[1]

    @bound(Overload(f"{_SELF}, {_INDEX}) -> list", int64))
    def get_subgraph_nodes(self, index: int) -> list[int]:
        """Return the numbers of a part's nodes."""
        part = _part(self, index)
        return [] if part is None else list(part[0])

    @bound(Overload(f"{_SELF}, {_INDEX}) -> nvonnxparser::IParserError", int32))
    def get_error(self, index: int) -> ParserError:
        """Return an error by its index."""
        return nth_error(self, _errors(self), index)

    @bound(Overload(f"{_SELF}) -> None"))
    def clear_errors(self) -> None:
        """Remove all errors."""
        _errors(self).clear()

    @bound(Overload(f"{_SELF}, {_FLAG}) -> None", instance(OnnxParserFlag)))
    def set_flag(self, flag: OnnxParserFlag) -> None:
        """Set a flag."""
        state(self)["_flags"] |= 1 << int(flag)

    @bound(Overload(f"{_SELF}, {_FLAG}) -> None", instance(OnnxParserFlag)))
    def clear_flag(self, flag: OnnxParserFlag) -> None:
        """Clear a flag."""
        state(self)["_flags"] &= ~(1 << int(flag))

    @bound(Overload(f"{_SELF}, {_FLAG}) -> bool", instance(OnnxParserFlag)))
    def get_flag(self, flag: OnnxParserFlag) -> bool:
        """Say whether a flag is set."""
        return bool(state(self)["_flags"] >> int(flag) & 1)

    @bound(Overload(f"{_SELF}, name: str, i: typing.SupportsInt) -> ITensor", string, int64))
    def get_layer_output_tensor(self, name: str, i: int) -> ITensor | None:
        """Return an output of the node with a name, or None."""
        importer = _importer(self)
        outputs = [] if importer is None else importer.outputs_of.get(name, [])
        if not 0 <= i < len(outputs):
            return None
        return bound_tensor(_graph(self), state(self)["_network"], outputs[i])

    @bound(Overload(f"{_SELF}) -> list[str]"))
    def get_used_vc_plugin_libraries(self) -> list[str]:
        """Return the libraries of version-compatible plugins that the model needs: none, since none are loaded."""
        return []

    @bound(Overload(f"{_MODEL} bool", buffer, c_string, defaults=[None]))
    def load_model_proto(self, model: bytes, path: str | None) -> bool:
        """Read a model, which ``parse_model_proto`` imports."""
        return _attempted(self, lambda: state(self).update(_model=load(model, path), _loaded={}))

    @bound(
        Overload(
            f"{_SELF}, name: str, data: typing.SupportsInt, size: typing.SupportsInt) -> bool", string, size_t, size_t
        )
    )
    def load_initializer(self, name: str, data: int, size: int) -> bool:
        """Copy the bytes of an initializer from an address; they replace those in the model."""
        return _attempted(self, lambda: _load_initializer(self, name, data, size))

    @bound(Overload(f"{_SELF}) -> bool"))
    def parse_model_proto(self) -> bool:
        """Import the model that ``load_model_proto`` read."""

        def work() -> None:
            model = state(self)["_model"]
            if model is None:
                why = "There is no model: call load_model_proto first."
                raise ImportFailed(Status(ErrorCode.INVALID_VALUE, why, "parseModelProto"))
            _import(self, model)

        return _attempted(self, work)

    @bound(Overload(f"{_SELF}, builder_config: IBuilderConfig) -> bool", instance(IBuilderConfig)))
    def set_builder_config(self, config: IBuilderConfig) -> bool:
        """Keep the configuration for the build of the network; it has no effect in this runtime."""
        state(self)["_config"] = config
        return True


def _load_initializer(parser: OnnxParser, name: str, address: int, size: int) -> None:
    held = state(parser)
    known = [] if held["_model"] is None else [str(tensor.name) for tensor in held["_model"].graph.initializer]
    if name not in known:
        why = f"The model has no initializer {name!r}."
        raise ImportFailed(Status(ErrorCode.INVALID_VALUE, why, "loadInitializer"))
    held["_loaded"][name] = ctypes.string_at(address, size)


@bound_function(Overload("() -> int"))
def get_nv_onnx_parser_version() -> int:
    """Return the version of the ONNX parser's interface."""
    return _VERSION
