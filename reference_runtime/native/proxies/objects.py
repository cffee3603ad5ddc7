"""Map the C++ objects of one library to the Python objects that represent them: one proxy for each."""

from __future__ import annotations

import contextlib
import functools
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from reference_runtime.native.abi import type_names
from reference_runtime.native.cuda.failing import failing
from reference_runtime.native.elf.source_places import source_places
from reference_runtime.native.elf.watched_lines import WatchedLines
from reference_runtime.native.exchange.lent_memory import LentMemory
from reference_runtime.native.exchange.tensors import Tensors
from reference_runtime.native.heap.kept_memory import KeptMemory
from reference_runtime.native.heap.ledger import Heap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference_runtime.native.abi.slots import Abi
    from reference_runtime.native.elf.reading import Library
    from reference_runtime.native.services.expressions import Expressions
    from reference_runtime.native.services.resource_contexts import ResourceContexts

    P = TypeVar("P", bound="Any")


class Objects:
    """The proxies of a library's objects, and what all proxies use."""

    def __init__(
        self, abi: Abi, module: str, expressions: Expressions, contexts: ResourceContexts | None, library: Library
    ) -> None:
        self.abi = abi
        self.library = library
        self.heap = Heap(library)
        self.lines = WatchedLines(library)
        self.failing_cuda_calls = failing
        self.module = module
        self.expressions = expressions
        self.contexts = contexts
        self.memory = LentMemory()
        self.tensors = Tensors(abi.epoch)
        self._proxies: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._classes: dict[tuple[type, str], type] = {}
        self._classes_by_table: dict[tuple[type, int], type] = {}

    @contextlib.contextmanager
    def kept_memory(self) -> Iterator[KeptMemory]:
        """Compare the memory of the library before and after the calls in a block."""
        with self.heap.ledger(keeps=False) as ledger:
            yield KeptMemory(self.library, ledger.blocks)

    def proxy(self, base: type[P], this: int | None) -> P | None:
        """Return the object that represents a C++ object; None for a null pointer."""
        if not this:
            return None
        known = self._proxies.get(this)
        if isinstance(known, base):
            return known
        made_as: Any = self.class_of(base, this)
        made: P = made_as(self, this)
        self._proxies[this] = made
        return made

    def known(self, this: int) -> Any:
        """Return the proxy of an object, if it has one."""
        return self._proxies.get(this)

    def class_of(self, base: type[P], this: int) -> type[P]:
        """Return the proxy's class for an object: a subclass of ``base`` that has the name of the C++ class."""
        table = type_names.table_of(this)
        made = self._classes_by_table.get((base, table))
        if made is None:
            made = self._classes_by_table[base, table] = self._class_of(base, this)
        return made

    def _class_of(self, base: type[P], this: int) -> type[P]:
        names = type_names.bases_of(this)
        name = names[0] if names else base.__name__
        made = self._classes.get((base, name))
        if made is None:
            namespace = {"__module__": self.module, "__doc__": f"{name}, in C++.", "library": self.library.path}
            made = self._classes[base, name] = type(base)(name.rpartition("::")[2], (base,), namespace)
        return made

    def forget(self, this: int) -> None:
        """Forget a destroyed object, because another object may get its address."""
        self._proxies.pop(this, None)

    @functools.cached_property
    def source_places(self) -> dict[tuple[str, str], tuple[str, int]]:
        """Return file and line of the library's member functions, by class and name, if the file exists here."""
        places = source_places(self.library)
        files = {file for file, _ in places.values() if Path(file).is_file()}
        return {member: place for member, place in places.items() if place[0] in files}

    @property
    def classes(self) -> list[type]:
        """Return all classes of proxies that were made so far."""
        return list(self._classes.values())
