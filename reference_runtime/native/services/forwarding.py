"""Forward the calls of NVIDIA's builder to a library's objects, and report each call and mistake to a listener.

The builder receives forwarding objects, which have only the table of their interface. If a call returns an object of
the library, the builder receives a forwarding object for it, too. So it never calls the library directly, and the
listener sees every call. After most mistakes of the library the builder can continue.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final, Protocol

from reference_runtime.native.abi.slots import DELETE, Abi, text
from reference_runtime.native.abi.tables import Table, Words
from reference_runtime.native.exchange.fields import insist_on_lasting
from reference_runtime.native.exchange.lent_memory import ReadAheadError
from reference_runtime.native.exchange.misuses import MisuseError, taken
from reference_runtime.native.services.lent_arguments import LentArguments

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from reference_runtime.native.elf.loading import Pairs
    from reference_runtime.native.heap.ledger import Heap

_PLUGIN: Final = "IPluginV3"
_FIELDS: Final = "getFieldsToSerialize"
_CAPABILITY: Final = "getCapabilityInterface"
#: Methods that must return a new plugin.
_MAKERS: Final = ("createPlugin", "clone", "attachToContext")
#: Methods that return a status, and methods that must not return a null pointer.
_STATUS: Final = {
    "configurePlugin", "getOutputDataTypes", "getOutputShapes", "getValidTactics", "setTactic", "onShapeChange",
}  # fmt: skip
_NEVER_NULL: Final = {
    "clone", "attachToContext", _CAPABILITY, _FIELDS, "getPluginName", "getPluginVersion", "getPluginNamespace",
}  # fmt: skip
#: The bytes that fill the descriptions behind ``pos`` when a query that has read them is repeated.
_OTHERS: Final = (0, 0xDD)
#: Mistakes that another rule reports, not the rule for the method's answers. The texts follow the method's name.
ITSELF, OF_ANOTHER_KIND, PAST_POS = " of itself", " of another kind", " past pos"
#: The kind that each capability must report, by its number in ``PluginCapabilityType``.
_CAPABILITIES: Final = ("PLUGIN_V3ONE_CORE", "PLUGIN_V3ONE_BUILD", "PLUGIN_V3ONE_RUNTIME")


class Listener(Protocol):
    """An observer of forwarded calls."""

    def calling(self, interface: str, method: str) -> AbstractContextManager[None]:
        """Return a context manager; the call is made in its block."""
        ...

    def answered(self, method: str, arguments: Sequence[Any], answer: Any) -> None:
        """Receive an answer, and the arguments as the builder passed them."""
        ...

    def tell(self, method: str, about: str, what: str) -> None:
        """Receive a mistake of the library: ``what`` follows the method's name, and ``about`` is its kind or empty."""
        ...

    def lacking(self, error: BaseException) -> None:
        """Receive an error that says what this machine lacks."""
        ...


class Forwarding:
    """The forwarding objects of one library.

    Args:
        epoch: The epoch whose memory layout the objects have.
        pairs: Provides the functions that return the kind and version of an interface.
        listener: Receives each call, and each mistake.
        heap: The library's heap; None if it is not watched.
    """

    def __init__(self, epoch: str, pairs: Pairs, listener: Listener, heap: Heap | None = None) -> None:
        self._abi = Abi(epoch, texts_as_addresses=True)
        interfaces = self._abi.epoch.interfaces.items()
        self._interfaces = {tuple(facts["info"][:2]): name for name, facts in interfaces if facts.get("info")}
        self._pairs = pairs
        self._listener = listener
        self._heap = heap
        self._arguments = LentArguments(self._abi)
        self._tables: dict[tuple[str, str, int, int], Table] = {}
        self._objects: dict[tuple[int, str], Words] = {}
        self._behind: dict[int, int] = {}
        self._parts: dict[int, set[int]] = {}
        self._all: list[Words] = []

    def of(self, this: int, interface: str) -> int:
        """Return the address of the forwarding object for a library's object."""
        words = self._objects.get((this, interface))
        if words is None:
            words = self._objects[this, interface] = Words(self._table(this, interface).address)
            self._all.append(words)  # it is kept, because the builder may call it after it is destroyed
            self._behind[words.address] = this
        return words.address

    def _table(self, this: int, interface: str) -> Table:
        info = self._info(this)
        key = (interface, *info)
        if key not in self._tables:
            methods = {slot: functools.partial(self._forward, interface, slot) for slot in self._abi.slots[interface]}
            self._tables[key] = Table(self._abi, interface, methods, info=self._pairs.function(*info))
        return self._tables[key]

    def _info(self, this: int) -> tuple[str, int, int]:
        info = self._abi.call(this, "IVersionedInterface", "getInterfaceInfo")
        return text(info.kind) or "", info.major, info.minor

    def _forward(self, interface: str, method: str, address: int, *arguments: Any) -> Any:
        this = self._behind[address]
        if method == DELETE and not self._let_go(this, address):
            return None
        taken()
        with self._listener.calling(interface, method), self._arguments.lent(interface, method, arguments) as lent:
            answer = self._abi.call(this, interface, method, *lent)
        errors = taken()
        if any(isinstance(error, ReadAheadError) for error in errors):
            self._ask_again(this, interface, method, arguments, answer)
        for error in errors:
            self._tell_of(method, error)
        if method in _STATUS and answer:
            self._listener.tell(method, "", f"returned {answer}")
        if method in _NEVER_NULL and not answer:
            self._listener.tell(method, "", "returned a null pointer")
        if method != _FIELDS or not answer or self._last(answer):  # the listener reads the fields
            self._listener.answered(method, arguments, answer)
        return self._handed(method, this, arguments, answer) if answer else answer

    def _handed(self, method: str, this: int, arguments: Sequence[Any], answer: int) -> int:
        """Return what the builder receives for an answer: a forwarding object, or the answer itself."""
        if method in _MAKERS:
            if (answer, _PLUGIN) in self._objects:
                same = "itself" if answer == this else "a plugin that it had returned before"
                self._listener.tell(method, ITSELF, f"returned {same}")
            return self.of(answer, _PLUGIN)
        if method == _CAPABILITY:
            return self._capability(this, arguments[0], answer)
        return answer

    def _capability(self, plugin: int, number: int, this: int) -> int:
        """Return the forwarding object for a capability; the capability itself if its kind is unknown."""
        kind, major, _ = self._info(this)
        if not 0 <= number < len(_CAPABILITIES) or kind != _CAPABILITIES[number]:
            what = f"returned an object that reports the kind {kind!r} {major}"
            self._listener.tell(_CAPABILITY, OF_ANOTHER_KIND, what)
        interface = self._interfaces.get((kind, major))
        if interface is None:
            return this
        self._parts.setdefault(plugin, set()).add(this)
        return self.of(this, interface)

    def _last(self, address: int) -> bool:
        """Return whether fields are still valid after the call; if not, report it."""
        if self._heap is not None:
            try:
                insist_on_lasting(address, self._heap.wrong_with)
            except MisuseError as error:
                self._tell_of(_FIELDS, error)
                return False
        return True

    def _tell_of(self, method: str, error: BaseException) -> None:
        if not isinstance(error, MisuseError):
            self._listener.lacking(error)
        elif not isinstance(error, ReadAheadError):  # a read that does not change the answer is no mistake
            self._listener.tell(method, "", f"made an error: {error}")

    def _ask_again(self, this: int, interface: str, method: str, arguments: Sequence[Any], answer: Any) -> None:
        """Repeat a query that has read behind ``pos``, with other content there, and report another answer."""
        for others in _OTHERS:
            with self._arguments.lent(interface, method, arguments, others) as lent:
                other = self._abi.call(this, interface, method, *lent)
            taken()
            if other != answer:
                what = f"looked past pos={arguments[0]}: it returned {answer}, and {other} with other content there"
                self._listener.tell(method, PAST_POS, what)
                return

    def _let_go(self, this: int, address: int) -> bool:
        """Forget a plugin that is to be destroyed; return False if that was done before."""
        known = self._objects.get((this, _PLUGIN))
        if known is None or known.address != address:
            return False
        gone = {this, *self._parts.pop(this, ())}
        self._objects = {key: words for key, words in self._objects.items() if key[0] not in gone}
        return True
