"""Find the files that a certificate is about, name them relative to one folder, and compute their digests."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from harness.certificate.statement import Digest, Module, Resource
from harness.config import program

if TYPE_CHECKING:
    from harness.config.options import Options

_BLOCK = 2**20
#: The folder of compiled modules, which Python writes by itself.
_CACHE = "__pycache__"


class FileError(Exception):
    """A file cannot be certified; the argument says why, and what to do."""


class Files(msgspec.Struct, frozen=True):
    """The certified modules, and the digests of their files.

    Attributes:
        digests: The sha256 of each file.
        packages: The folders of packages; ``digests`` has all their files.
        modules: The certified modules, with the names that the user gave and their places.
        home: The folder to which names of files are relative.
    """

    digests: dict[Path, str]
    packages: tuple[Path, ...]
    modules: tuple[Module, ...]
    home: Path

    @classmethod
    def of(cls, sources: Sequence[dict[str, Any]], further: Iterable[str], home: Path) -> Files:
        """Return the files of the modules in a report's ``sources``, and the files in ``further``.

        Raises:
            FileError: A file cannot be read, or its name is no UTF-8.
        """
        packages = tuple(dict.fromkeys(Path(folder) for source in sources for folder in source["folders"]))
        loaded = [Path(file) for source in sources for file in source["files"]]
        files = {*loaded, *map(Path, further), *(file for folder in packages for file in package_files(folder))}
        modules = tuple(
            Module(
                source["given"],
                source["module"],
                named(Path([*source["folders"], source["file"]][0]), home),
                source["build_id"] or None,
            )
            for source in sources
        )
        return cls({file: _readable(file) for file in sorted(files)}, packages, modules, home)

    @property
    def subject(self) -> tuple[Resource, ...]:
        """Return the files as the subject of an in-toto statement, in the order of their names."""
        digests = {named(file, self.home): Digest(digest) for file, digest in self.digests.items()}
        return tuple(Resource(name, digests[name]) for name in sorted(digests))


def named(file: Path, home: Path) -> str:
    """Return the path of a file relative to a folder, with slashes.

    Raises:
        FileError: The path is no UTF-8, so that JSON cannot hold it.
    """
    name = Path(os.path.relpath(file, home)).as_posix()
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise FileError(f"the name of {name!r} is no UTF-8, and a certificate names its files: rename it") from error
    return name


def package_files(folder: Path) -> Iterator[Path]:
    """Yield every file in a folder and below it, except in folders ``__pycache__``."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if each != _CACHE)
        yield from (file for name in sorted(names) if (file := Path(place, name)).is_file())


def digest_of_file(file: Path) -> str:
    """Return the sha256 of a file, in 64 hex digits.

    Raises:
        OSError: The file cannot be read.
    """
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def known_before(options: Options, further: Iterable[str], home: Path) -> dict[Path, str]:
    """Return the digests of the files that are known before the run.

    No module is imported for this, so files that the user's modules import are missing.
    """
    names = [*options.plugins, *(program.parse(app).module for app in options.apps)]
    names += [*options.cases, options.setup.rpartition(":")[0]]
    files = {Path(file) for file in further}
    for name in filter(None, names):
        for place in _place_of(name, home):
            beside = place.parent / f"{place.stem}_cases.py"
            files |= {place, beside, *(package_files(place) if place.is_dir() else ())}
    return {file: digest_of_file(file) for file in sorted(files) if file.is_file()}


def _place_of(name: str, home: Path) -> Iterator[Path]:
    """Yield the file of a module, or the folders of a package, without an import."""
    if os.sep in name or name.endswith(".py"):
        yield Path(os.path.abspath(home / name))  # noqa: PTH100 - links stay as they are named
        return
    path: Sequence[str] | None = [str(home), *filter(None, sys.path)]
    origin: str | None = None
    for part in name.split("."):
        spec = PathFinder.find_spec(part, path) if path is not None else None
        path = list(spec.submodule_search_locations or ()) or None if spec else None
        origin = spec.origin if spec else None
    yield from map(Path, path or ([origin] if origin else ()))


def _readable(file: Path) -> str:
    try:
        return digest_of_file(file)
    except OSError as error:
        raise FileError(f"{file} took part in the run and cannot be read now: {error}") from error
