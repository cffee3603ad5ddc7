"""Define the base of all proxies: the C++ object, its interface, and calls of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.native.abi import type_names
from reference_runtime.native.abi.slots import text
from reference_runtime.native.exchange.misuses import LibraryMissingError, MisuseError, StatusError, raise_noted

if TYPE_CHECKING:
    from reference_runtime.native.abi.slots import Functions
    from reference_runtime.native.proxies.objects import Objects


class Proxy:
    """A C++ object: ``this`` is its address, 0 once it is destroyed."""

    __written_in__: Final = "C++"

    objects: Objects
    this: int
    interface: str
    functions: Functions
    lacks: LibraryMissingError | None = None

    def begin(self, objects: Objects, this: int, interface: str) -> None:
        """Represent an object."""
        self.objects, self.this, self.interface = objects, this, interface
        self.functions = objects.abi.functions(this, interface)

    @property
    def class_name(self) -> str:
        """The object's class as C++ names it; empty where the library was built without RTTI."""
        return next(iter(type_names.bases_of(self.this)), "")

    def __process_state__(self) -> object:
        """Return its only changeable state: the object that it represents; the rest is C++'s."""
        return self.this

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a virtual function of the object.

        Raises:
            MisuseError: It did what the interfaces forbid.
            LibraryMissingError: It wanted a library that is not here, now or before.
            BaseException: An exception that a callback of this runtime raised beneath it.
        """
        if not self.this:
            raise MisuseError(f"{method} was called on an object that is destroyed")
        if self.lacks is not None:  # it is half made: no call of it says anything
            raise self.lacks
        answer = self.functions[method](self.this, *arguments)
        try:
            raise_noted()
        except LibraryMissingError as error:
            self.lacks = error
            raise
        return answer

    def text(self, method: str) -> str | None:
        """Return a string that the object gives out; None for a null pointer."""
        return text(self.call(method))

    def succeed(self, method: str, *arguments: Any) -> None:
        """Call a function whose result is a status.

        Raises:
            StatusError: It is none of success.
        """
        status = self.call(method, *arguments)
        if status:
            raise StatusError(f"{method.partition('/')[0]} returned {status}")

    def end(self, method: str) -> None:
        """Have the object destroyed."""
        this = self.this
        if self.lacks is None:
            self.call(method)
        self.this = 0
        self.objects.forget(this)
