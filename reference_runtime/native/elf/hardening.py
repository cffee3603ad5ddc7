"""Read which protections against memory faults a library was linked and compiled with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from reference_runtime.native.elf.reading import Library

_STACK, _READ_ONLY_AFTER_RELOCATION = 0x6474E551, 0x6474E552
_EXECUTABLE: Final = 1
_BIND_NOW, _FLAGS, _FLAGS_1, _SEARCHED, _SEARCHED_LATER = 24, 30, 0x6FFFFFFB, 15, 29
_NOW, _NOW_1 = 8, 1


def hardening_of(library: Library) -> dict[str, bool | str]:
    """Return the library's protections by name: ``relro`` is none, partial or full; the others are flags."""
    tags = library.tags
    is_bound_at_load = (
        _BIND_NOW in tags or tags.get(_FLAGS, [0])[0] & _NOW != 0 or tags.get(_FLAGS_1, [0])[0] & _NOW_1 != 0
    )
    relro = "none"
    if _READ_ONLY_AFTER_RELOCATION in library.headers:
        relro = "full" if is_bound_at_load else "partial"
    imported = {each.name for each in library.undefined}
    return {
        "relro": relro,
        "executable_stack": bool(library.headers.get(_STACK, _EXECUTABLE) & _EXECUTABLE),
        "stack_protector": "__stack_chk_fail" in imported,
        "fortified": any(name.startswith("__") and name.endswith("_chk") for name in imported),
        "runpath": bool({_SEARCHED, _SEARCHED_LATER} & tags.keys()),
        "symbols": bool(library.functions),
        "debug_information": bool(library.section(".debug_info") or library.section(".zdebug_info")),
    }
