"""Exchange messages between pytest's process and the child: JSON after its length, and the records in it.

Theory: a message is four bytes of length, most significant first, and that many bytes of JSON. It is never pickle: a
child that a plugin has damaged must not run code in pytest's process. The parent sends :class:`ChildSettings` first and
gets a :class:`Reply` that says how the import went. Then it sends one task at a time and gets one reply for each. A
reply is handed over as :mod:`harness.process.handover` says.
"""

from __future__ import annotations

import dataclasses
import json
import os
import struct
from typing import Any

from harness.contract.api_level import DEFAULT
from harness.contract.codec import Record
from harness.contract.thoroughness import Thoroughness
from harness.contract.verdict import Answer, Captured
from harness.protocol.requests import RequestKind, Watched

#: No message is longer; a length beyond it means that the stream is damaged.
MAX_BYTES = 64 * 2**20
#: Characters that are kept of each text in a message that is too long.
LONG_TEXT = 100_000
_LENGTH = struct.Struct("!I")
#: Bound early, because a plugin may replace these functions in their modules.
_encode = json.JSONEncoder(separators=(",", ":")).encode
_read, _write = os.read, os.write


class ExchangeError(Exception):
    """The stream ended, or its bytes are no message; the argument says which."""


class TooLongError(ExchangeError):
    """A message is too long to be sent."""


def pack(value: object) -> bytes:
    """Return the bytes of one message.

    Raises:
        TypeError: JSON cannot hold the value.
        TooLongError: The message is too long.
    """
    body = _encode(value).encode()
    if len(body) > MAX_BYTES:
        raise TooLongError(f"a message of {len(body)} bytes is longer than the limit of {MAX_BYTES}")
    return _LENGTH.pack(len(body)) + body


def shortened(value: Any) -> Any:
    """Return a message with its long texts cut: a plugin can write texts of any length."""
    if isinstance(value, str) and len(value) > LONG_TEXT:
        return f"{value[:LONG_TEXT]}... ({len(value)} characters)"
    if isinstance(value, dict):
        return {key: shortened(each) for key, each in value.items()}
    return [shortened(each) for each in value] if isinstance(value, (list, tuple)) else value


def send(stream: int, value: object) -> None:
    """Write one message to the file descriptor ``stream``."""
    write(stream, pack(value))


def write(stream: int, packed: bytes) -> None:
    """Write packed messages to the file descriptor ``stream``."""
    data = memoryview(packed)
    while data:
        data = data[_write(stream, data) :]


def receive(stream: int) -> Any:
    """Wait for one message from the file descriptor ``stream``.

    Raises:
        ExchangeError: The other side closed the stream, or sent bytes that are no message of this protocol.
    """
    inbox = Inbox()
    while not inbox.complete:
        data = _read(stream, inbox.missing)
        if not data:
            raise ExchangeError("the other side closed the stream")
        inbox.feed(data)
    return inbox.message()


class Inbox:
    """Collects the bytes of one message as they arrive."""

    def __init__(self) -> None:
        self._data = bytearray()

    @property
    def missing(self) -> int:
        """Return the number of bytes to read next: those of the length, then those of the body."""
        if len(self._data) < _LENGTH.size:
            return _LENGTH.size - len(self._data)
        (length,) = _LENGTH.unpack_from(self._data)
        return int(length) + _LENGTH.size - len(self._data)

    @property
    def complete(self) -> bool:
        """Return whether the whole message has arrived."""
        return len(self._data) >= _LENGTH.size and self.missing == 0

    def feed(self, data: bytes) -> None:
        """Add bytes that arrived; at most :attr:`missing` of them.

        Raises:
            ExchangeError: They announce a message that is too long.
        """
        self._data += data
        if len(self._data) >= _LENGTH.size and self.missing > MAX_BYTES:
            raise ExchangeError(f"a message of {self.missing} bytes is announced; the stream is damaged")

    def message(self) -> Any:
        """Return the value of the complete message.

        Raises:
            ExchangeError: The message is no JSON.
        """
        try:
            return json.loads(self._data[_LENGTH.size :])
        except ValueError as error:
            raise ExchangeError(f"a message is no JSON: {error}") from error


@dataclasses.dataclass(frozen=True)
class ChildSettings(Record):
    """The settings that a child gets before it imports the user's module.

    Attributes:
        module: The module as the user named it: a dotted name, or the path of a file or package folder.
            After the import, its name in ``sys.modules``.
        path: Folders to search for modules, before all others.
        cases: What ``--plugin-cases`` names.
        packed_cases: Cases that the caller made in memory, as :mod:`harness.cases.pickled` carries them.
        applications: The function that ``--plugin-app`` names, if applications are judged; then no plugin is judged.
        program: The program of ``--plugin-app``, as :mod:`harness.config.program` writes it, or the empty string.
        records: Whether the program is run in place of the import, to judge the plugins that it uses.
        setup: What ``--plugin-setup`` names, or the empty string.
        stubs: Packages that stand-ins replace where they are not installed.
        include: The patterns of ``--plugin-include``.
        exclude: The patterns of ``--plugin-exclude``.
        timeout: Seconds that a request may take.
        import_timeout: Seconds that the import may take.
        memory: Bytes of data that a worker process may have (``RLIMIT_DATA``).
        addresses: Device addresses: ``opaque`` or ``host``.
        device: Where enqueue runs: ``host`` or ``cuda``.
        seed: The seed of all random values.
        given: The module as the user named it, for processes that import it again.
        spec: The API level of the process, fixed before the import.
        coverage: What :func:`harness.process.coverage.coverage_settings` returned, or the empty string.
        onnx: The models that ``--plugin-onnx`` names; then the cases are made from these models.
        builder: NVIDIA's Python module whose builder builds the plugins, too, or the empty string.
        describes_rules: Whether the child describes the installed rules before it imports the user's module.
        onnx_dims: What ``--plugin-onnx-dims`` says of their dynamic dimensions.
    """

    module: str
    path: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    packed_cases: str = ""
    applications: tuple[str, ...] = ()
    program: str = ""
    records: bool = False
    setup: str = ""
    stubs: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    timeout: float = 20.0
    import_timeout: float = 120.0
    memory: int = 8 * 2**30
    addresses: str = "opaque"
    device: str = "host"
    seed: int = 0
    given: str = ""
    spec: str = DEFAULT
    coverage: str = ""
    onnx: tuple[str, ...] = ()
    onnx_dims: tuple[str, ...] = ()
    builder: str = ""
    describes_rules: bool = False


@dataclasses.dataclass(frozen=True)
class Request(Record):
    """One request to the child about a case of a plugin: to judge a rule, or another :class:`RequestKind`.

    Attributes:
        rule: The rule's id; empty if ``kind`` is not RULE.
        plugin: The plugin's key, for example ``/Bar/1``.
        case: The case's name.
        seed: The seed of this request.
        level: The level of the run: 1, 5 or 10.
        shunned: Callbacks that must not be called again, each with the rule that reports it.
        unsupported: Digests of fields that ended a process in a trial: the rule does not try them again.
        tolerated: Callbacks whose failure does not stop the rule, which goes on as TensorRT would.
        examples: A fuzz rule's generated examples, as plain data. They are judged one after the other in one process,
            up to the first that fails.
        watched: The parts of the plugin that are watched while examples are judged.
        deadline: Seconds that the request may take; None for :attr:`ChildSettings.timeout`.
        inferred: The case as plain data, if no module holds it: an inferred case, or a case from a model.
        kind: The kind of the request.
        arguments: The arguments of the request, as :class:`RequestKind` says.
    """

    rule: str
    plugin: str
    case: str
    seed: int = 0
    level: int = Thoroughness.DEFAULT.number
    shunned: dict[str, str] = dataclasses.field(default_factory=dict)
    unsupported: list[str] = dataclasses.field(default_factory=list)
    tolerated: list[str] = dataclasses.field(default_factory=list)
    examples: list[Any] = dataclasses.field(default_factory=list)
    watched: Watched = Watched.NOTHING
    deadline: float | None = None
    inferred: dict[str, Any] | None = None
    kind: RequestKind = RequestKind.RULE
    arguments: list[Any] = dataclasses.field(default_factory=list)

    def asking(self, kind: RequestKind, *arguments: Any) -> Request:
        """Return a request of another kind about the same case."""
        return dataclasses.replace(self, rule="", kind=kind, arguments=list(arguments))

    @property
    def circumstances(self) -> Request:
        """Return the request without rule, seed, deadline, examples and watching.

        Requests with equal circumstances and seeds can share facts about the plugin.
        """
        return dataclasses.replace(self, rule="", seed=0, deadline=None, examples=[], watched=Watched.NOTHING)


@dataclasses.dataclass(frozen=True)
class ChildTask(Record):
    """The settings of a child and a request, from which another process can judge the same plugin."""

    settings: ChildSettings
    request: Request


@dataclasses.dataclass(frozen=True)
class Reply(Record):
    """The result of one task: a value, or the answer that says why it has none.

    Attributes:
        value: What the task returned.
        failed: The death, deadline or exception that ended the task instead.
        captured: The output of the task.
        unchanged: Whether the process that did the task is as it was before its first task.
        shared: Whether that process had done other tasks before.
    """

    value: Any = None
    failed: Answer | None = None
    captured: Captured = dataclasses.field(default_factory=Captured)
    unchanged: bool = False
    shared: bool = False
