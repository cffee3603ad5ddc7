"""Find names in a C++ library that clash with other libraries, and whether its initialization order matters."""

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
    """Return functions that the library exports under names of TensorRT, CUDA or the C or C++ runtime, in words."""
    from reference_runtime.native.library.clashes import clashes  # noqa: PLC0415 - only for plugins in C++

    return [f"{name} of {owner}" for name, owner in clashes(subject.creator.objects.library)]


def in_both_orders(subject: Subject) -> tuple[str, str, list[str]]:
    """Load copies of the library whose source files are initialized in the linked order, and in the reverse order.

    Returns the creators of each copy in words, or how its loading fails, and the names of the files' initialisers.

    Raises:
        NotApplicable: The library's symbols name fewer than two initialisers. Or the copy in the linked order cannot be
            loaded, or a copy is not loaded in time.
    """
    from reference_runtime.native.elf import initialisers  # noqa: PLC0415 - only for plugins in C++

    objects = subject.creator.objects
    library, level = objects.library, {"8": "8.6"}.get(objects.abi.epoch.name, objects.abi.epoch.name)
    names = initialisers.of_files(library)
    if len(names) < 2:  # noqa: PLR2004 - one initialiser has no order
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
    """Load a library in a separate process, and return its creators in words, or how loading failed."""
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
