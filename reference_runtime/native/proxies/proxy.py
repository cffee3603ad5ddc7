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
        """Connect the proxy to the C++ object at an address."""
        self.objects, self.this, self.interface = objects, this, interface
        self.functions = objects.abi.functions(this, interface)

    @property
    def class_name(self) -> str:
        """Return the name of the object's C++ class; empty if the library was built without RTTI."""
        return next(iter(type_names.bases_of(self.this)), "")

    def __process_state__(self) -> object:
        """Return the object's address, the only state of a proxy that may change."""
        return self.this

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a virtual function of the object.

        Raises:
            MisuseError: The object did what the interfaces forbid, or is destroyed.
            LibraryMissingError: The object needed a library that this machine lacks, in this call or an earlier one.
            BaseException: A callback of this runtime, which the object called, raised this exception.
        """
        if not self.this:
            raise MisuseError(f"{method} was called on an object that is destroyed")
        if self.lacks is not None:  # without its library the object is incomplete, so it is not called
            raise self.lacks
        answer = self.functions[method](self.this, *arguments)
        try:
            raise_noted()
        except LibraryMissingError as error:
            self.lacks = error
            raise
        return answer

    def text(self, method: str) -> str | None:
        """Return the string that a method returns; None for a null pointer."""
        return text(self.call(method))

    def succeed(self, method: str, *arguments: Any) -> None:
        """Call a function whose result is a status.

        Raises:
            StatusError: The status is not 0.
        """
        status = self.call(method, *arguments)
        if status:
            raise StatusError(f"{method.partition('/')[0]} returned {status}")

    def end(self, method: str) -> None:
        """Destroy the object with one of its methods, and forget it."""
        this = self.this
        if self.lacks is None:
            self.call(method)
        self.this = 0
        self.objects.forget(this)
