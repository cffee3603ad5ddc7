"""Find the certified files, and check that they are unchanged."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from harness.certificate.files import digest_of_file, package_files
from harness.contract.wording import named

if TYPE_CHECKING:
    from harness.certificate.statement import Resource, Statement


#: Returns the first five of some names, and the number of others, as a text.
few = functools.partial(named, most=5)


class PlaceError(Exception):
    """``--plugin`` is no place of the certified files; the argument lists the places that it could be."""


def changes(statement: Statement, place: Path | None) -> Iterator[str]:
    """Yield a line for each difference between the certified files and the files that exist now.

    Args:
        statement: The certificate.
        place: The folder to which names are relative, or the path of a certified module; None for the current folder.

    Raises:
        PlaceError: ``place`` is no folder, and no path of a certified module.
    """
    at = _places(statement, place)
    for resource in statement.subject:
        yield from _of_a_file(resource, at(resource.name))
    for package in statement.facts.packages:
        folder = at(package)
        known = {at(resource.name) for resource in statement.subject}
        if added := [file for file in package_files(folder) if file not in known]:
            names_of_added = few([str(file.relative_to(folder)) for file in added])
            yield f"{package} has files that were not certified: {names_of_added}; remove them, or certify again"


def _of_a_file(resource: Resource, file: Path) -> Iterator[str]:
    try:
        digest = digest_of_file(file) if file.is_file() else ""
    except OSError as error:
        yield f"{resource.name} cannot be read: {error}"
        return
    if not digest:
        yield f"{resource.name} is not there: looked for it at {file}; say where the plugin is, with --plugin=PATH"
    elif digest != resource.digest.sha256:
        yield f"{resource.name} is not the file that was certified: it was changed, so certify again"


def _places(statement: Statement, place: Path | None) -> Callable[[str], Path]:
    """Return a function from the name of a certified file to its path now."""
    if place is None:
        return lambda name: Path(os.path.abspath(name))  # noqa: PTH100 - links stay as they are named
    module = next((each for each in statement.facts.modules if Path(each.place).name == place.name), None)
    if module is not None and place.exists():
        above, there = Path(module.place).parent, place.parent
        return lambda name: Path(os.path.abspath(there / os.path.relpath(name or os.curdir, above)))  # noqa: PTH100 - as above
    if place.is_dir():
        return lambda name: Path(os.path.abspath(place / name))  # noqa: PTH100 - the same
    certified = ", ".join(module.place for module in statement.facts.modules)
    raise PlaceError(
        f"--plugin={place} is neither a folder nor one of {certified}. "
        "Name the folder that these are in, or the path of one of them"
    )
