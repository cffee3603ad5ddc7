"""Compute digests of the installed rules and of their code, and list the rules that a case needs.

The digest of a rule covers its facts, as ``trt-conformance rules --json`` lists them, and the source text of its
function. The digest of a package covers the names and digests of its source files.
"""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from harness.certificate.files import digest_of_file, package_files
from harness.certificate.statement import Digest, RuleSet, digest_of
from harness.contract.explaining import explanation
from harness.contract.own_names import own, public
from harness.process import loaded_files

if TYPE_CHECKING:
    from harness.contract.catalogue import Catalogue
    from harness.contract.interface import Interface
    from harness.contract.thoroughness import Thoroughness


def rule_set(catalogue: Catalogue) -> RuleSet:
    """Return the digests of all rules of a catalogue, and of the packages of these rules and of the harness."""
    tops = {public(rule.judge.__module__).partition(".")[0] for rule in catalogue.rules.values()}
    rules = {}
    for rule in catalogue.rules.values():
        text = inspect.getsource(inspect.unwrap(rule.judge))
        rules[rule.id] = digest_of({**explanation.as_data(rule), "judge": text})
    code = {
        name: digest_of({path: digest_of_file(file) for path, file in _source_files(own(name))})
        for name in sorted({*map(public, loaded_files.OURS), *tops})
    }
    return RuleSet(Digest(digest_of({"rules": rules, "code": code})), rules, code)


def must_run(catalogue: Catalogue, interfaces: Iterable[Interface], level: Thoroughness) -> dict[str, tuple[str, ...]]:
    """Return for each interface the rules that need a verdict on each case, at a level."""
    ids = catalogue.up_to(level)
    return {
        interface.value: tuple(rule.id for rule in catalogue.concerning(interface) if rule.id in ids)
        for interface in sorted(set(interfaces), key=lambda each: each.value)
    }


def _source_files(package: str) -> Iterator[tuple[str, Path]]:
    spec = importlib.util.find_spec(package) if package not in sys.modules else sys.modules[package].__spec__
    if spec is None:
        raise RuntimeError(f"the package {package} judges, and Python does not find it")
    for folder in map(Path, spec.submodule_search_locations or ()):
        for file in package_files(folder):
            if file.suffix in {".py", ".json"}:
                yield file.relative_to(folder).as_posix(), file
    if spec.submodule_search_locations is None and spec.origin is not None and os.path.isfile(spec.origin):  # noqa: PTH113 - it may be no path at all
        yield Path(spec.origin).name, Path(spec.origin)
