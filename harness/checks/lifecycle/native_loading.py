"""Load a C++ library and find its effects on the process: names that it takes, and initialization order."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from harness.contract import own_names
from harness.contract.finding import NotApplicable
from harness.process import own_clock

if TYPE_CHECKING:
    from harness.subject.subject import Subject

_START: Final = "from harness.child import inspection; sys.exit(inspection.main(*sys.argv[1:]))"
_SECONDS: Final = 8.0


def names_of_others(subject: Subject) -> list[str]:
    """Return the functions that the library exports although their names are others', in words."""
    from reference_runtime.native.library.clashes import clashes  # noqa: PLC0415 - for plugins in C++ alone

    return [f"{name} of {owner}" for name, owner in clashes(subject.creator.objects.library)]


def in_both_orders(subject: Subject) -> tuple[str, str, list[str]]:
    """Return in words what a copy of the library offers when loaded, in both orders of its source files.

    The third value has the names of the files' initialisers, in the order in which they run.

    Raises:
        NotApplicable: No two of them are known by name, or a copy of the library cannot be loaded in time.
    """
    from reference_runtime.native.elf import initialisers  # noqa: PLC0415 - for plugins in C++ alone

    objects = subject.creator.objects
    library, level = objects.library, {"8": "8.6"}.get(objects.abi.epoch.name, objects.abi.epoch.name)
    names = initialisers.of_files(library)
    if len(names) < 2:  # noqa: PLR2004 - an order is that of two
        raise NotApplicable("the library's symbols name no two source files with static initialisers")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, library.path.name)
        try:
            as_linked = _offered(copy, library.data, level)
            in_reverse = _offered(copy, initialisers.reversed_order(library), level)
        except subprocess.TimeoutExpired:
            raise NotApplicable(f"a copy of the library is not loaded within {_SECONDS:g} s") from None
    if as_linked.startswith("loading"):
        raise NotApplicable("a copy of the library in another folder cannot be loaded")
    return as_linked, in_reverse, names


def _offered(file: Path, data: bytes, level: str) -> str:
    """Return the creators of a library, which a separate process loads, or how that ended."""
    file.write_bytes(data)
    command = own_names.command(_START, str(file), level)
    done = own_clock.output_of(command, seconds=_SECONDS)
    last: dict[str, Any] = {}
    for line in done.stdout.splitlines():
        last = json.loads(line) if line.startswith("{") else last
    if "creators" in last and not done.returncode:
        return "; ".join(sorted(map(_in_words, last["creators"])))
    if done.returncode < 0:
        return f"loading ends with {signal.Signals(-done.returncode).name}"
    return f"loading ends with {last.get('error', f'exit status {done.returncode}').replace(str(file), file.name)}"


def _in_words(creator: dict[str, Any]) -> str:
    fields = ", ".join(f"{each['name']}: {each['type']}" for each in creator["fields"])
    return f"{creator['namespace']}/{creator['name']}/{creator['version']} with fields ({fields})"
