"""Looking into modules: each is imported and asked what it holds, several at the same time where there are many.

It takes half a second to start a child, nearly all of it to import NumPy and the reference runtime.
"""

from __future__ import annotations

import contextlib
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.controller.children.isolation import Isolation, Loaded
    from harness.controller.children.pool import Children

    #: How the import went, and what was found; empty where it failed.
    Seen = tuple[Loaded, dict[str, Any]]


def look(modules: Sequence[str], children: Children, spec: str, at_once: int = 1) -> Iterator[tuple[str, Seen]]:
    """Yield each module with what is in it, in the given order.

    With ``at_once`` beyond 1, so many threads look. A child dies with the thread that started it, so each thread ends
    its children itself, and none is left for later.
    """
    if at_once <= 1:
        for given in modules:
            yield given, _seen(children.of(given, spec))
        return
    found: list[Future[Seen]] = [Future() for _ in modules]
    work = iter(list(zip(modules, found, strict=True)))
    lock = threading.Lock()

    def worker() -> None:
        while True:
            with lock:
                given, future = next(work, ("", None))
            if future is None:
                return
            try:
                with contextlib.closing(children.make(given, spec)) as child:
                    future.set_result(_seen(child))
            except BaseException as error:  # noqa: BLE001 - it is for whoever waits
                future.set_exception(error)

    for _ in range(at_once):  # as daemons: an interrupted run does not wait for an import that hangs
        threading.Thread(target=worker, daemon=True).start()
    for given, future in zip(modules, found, strict=True):
        yield given, future.result()


def _seen(child: Isolation) -> Seen:
    loaded = child.load()
    return loaded, child.discover() if loaded.ok else {}
