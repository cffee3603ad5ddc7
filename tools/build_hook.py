"""Pack the faulty examples into one archive while hatch builds a wheel; those that pages certify are also files.

``trt-conformance explain`` reads the archive. As files, all faulty examples would be a fifth of the wheel.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

EXAMPLES = "plugin_examples"
#: The name of the archive in the wheel; ``harness/contract/explaining/witnesses.py`` reads it.
ARCHIVE = f"{EXAMPLES}/faulty.zip"
_MODULE = re.compile(rf"\b{EXAMPLES}\.faulty\.[\w.]*\w")


class Examples(BuildHookInterface[Any]):
    """Adds the archive, and the faulty examples that the documents certify, to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to ``build_data``, except for an editable install, which uses the checkout's files."""
        if version != "standard":
            return
        root = Path(self.root)
        packed = root / "build" / "faulty.zip"
        packed.parent.mkdir(exist_ok=True)
        pack(root, packed)
        build_data["force_include"] |= {str(packed): ARCHIVE, **{str(root / name): name for name in named(root)}}


def pack(root: Path, archive: Path) -> None:
    """Write the faulty examples below a folder into an archive, with the same bytes for the same files.

    The archive is not compressed: the wheel compresses it as a whole, which saves three quarters.
    """
    files = (file for file in (root / EXAMPLES / "faulty").glob("*/*") if file.suffix in {".py", ".cpp"})
    with zipfile.ZipFile(archive, "w") as packed:
        for file in sorted(files):
            if file.stat().st_size:
                packed.writestr(zipfile.ZipInfo(file.relative_to(root).as_posix()), file.read_bytes())


def named(root: Path) -> set[str]:
    """Return the files of the faulty examples that the documents certify, and of their imports."""
    pages = [root / "README.md", *(root / "docs").rglob("*.md")]
    waiting = _modules(file.read_text("utf-8") for file in pages)
    files: set[Path] = set()
    while waiting:
        file = root.joinpath(*waiting.pop().split("."))
        file = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
        if file.is_file() and file not in files:
            files |= {file, *(folder / "__init__.py" for folder in file.parents if EXAMPLES in folder.parts[-3:])}
            waiting |= _modules([file.read_text("utf-8")])
    return {file.relative_to(root).as_posix() for file in files if file.is_file() and file.parent.name != EXAMPLES}


def _modules(texts: Iterable[str]) -> set[str]:
    return {module for text in texts for module in _MODULE.findall(text)}
