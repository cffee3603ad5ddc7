"""Compile the user's modules from their source, so that a certificate names the code that ran.

Theory: Python trusts a compiled file if it names the source's time and size, which can be forged. A module can also
write another text into its file while it is imported. So each child compiles the user's modules from their source.
After the import, it compares their files with the compiled source. Modules of installed distributions are loaded
normally: some have thousands of files.
"""

from __future__ import annotations

from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING

from harness.process import loaded_files

if TYPE_CHECKING:
    from types import CodeType

_get_code = SourceFileLoader.get_code


class _Compiled:
    """The sources that were compiled in this process, by file."""

    sources: dict[str, bytes] = {}  # noqa: RUF012 - one for the process, as imports are


def install() -> None:
    """Compile the user's modules from their source from now on, at each import."""
    loaded_files.installed()  # first, because Python 3.13 imports a module to find these folders
    SourceFileLoader.get_code = _compiled  # type: ignore[assignment,method-assign]  # all imports of sources


def insist_on_unchanged() -> None:
    """Make sure that the files of the modules still hold the compiled source.

    Raises:
        ImportError: A file has changed.
    """
    for file, source in _Compiled.sources.items():
        if Path(file).is_file() and Path(file).read_bytes() != source:
            raise ImportError(f"{file} changed while it was imported, so it is not the code that ran: run again")


def _compiled(loader: SourceFileLoader, name: str) -> CodeType | None:
    file = loader.get_filename(name)
    if name.partition(".")[0] in loaded_files.OURS or loaded_files.is_installed(file):
        return _get_code(loader, name)
    source = _Compiled.sources[file] = loader.get_data(file)
    code: CodeType = loader.source_to_code(source, file)
    return code
