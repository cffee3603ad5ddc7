#!/usr/bin/env python3
"""Have NVIDIA's builder build the witnesses of IPluginV3, and write the result to tests/data/nvidias_matrix.json.

python tools/nvidias_matrix.py [NAME ...] [--missing]

The result is the rules of the family GEN that each witness breaks. Without a name the tool builds all, which takes
about ten minutes of CPU time. It needs ``pip install --group rtx``. On the site the kill matrix has a column of
it.
"""

import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # tests are not an installed package

from harness.contract.verdict import BAD  # noqa: E402 - needs sys.path
from harness.process.nvidia_packages import RTX  # noqa: E402 - as above
from tests.support import matrix, witnesses  # noqa: E402 - as above
from tests.support.verdicts import results_in_a_fork  # noqa: E402 - as above

FILE = ROOT / "tests" / "data" / "nvidias_matrix.json"
RULES = [f"GEN-00{number}" for number in range(1, 7)]


def may_be_v3(module):
    """Return whether a witness's source names IPluginV3, or a base class with it: the builder takes no other."""
    text = ROOT.joinpath(*module.split(".")).with_suffix(".py").read_text()
    return "_v3" in text or "IPluginV3" in text


def noticed(module):
    """Return the rules of GEN that a witness breaks, sorted; None if the builder cannot judge it."""
    by_case = results_in_a_fork(module, RULES, builder=RTX.module)
    results = [result for case in (by_case or {}).values() for result in case]
    if not any(result.evidence for result in results):
        return None
    return sorted({result.rule for result in results if result.verdict in BAD})


def main():
    """Build the witnesses; each entry is saved at once."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these witnesses, without their package")
    parser.add_argument("--missing", action="store_true", help="only witnesses that the file does not have yet")
    options = parser.parse_args()
    if not RTX.is_installed():
        parser.error("NVIDIA's builder is not installed: pip install --group rtx")
    modules = {matrix.short(module): module for module in witnesses.witnesses() if may_be_v3(module)}
    if unknown := set(options.names) - set(modules):
        parser.error(f"there is no witness of IPluginV3 named {', '.join(sorted(unknown))}")
    entries = json.loads(FILE.read_text())["witnesses"] if FILE.exists() else {}
    selected = set(options.names or modules) - (set(entries) if options.missing else set())
    for name in sorted(selected):
        rules = noticed(modules[name])
        print(f"{name}: {'not judged' if rules is None else ', '.join(rules) or 'nothing'}", flush=True)
        fresh = {**entries, name: rules}
        entries = {each: fresh[each] for each in sorted(modules) if fresh.get(each) is not None}
        FILE.write_text(json.dumps({"builder": RTX.label(), "witnesses": entries}, indent=1) + "\n")


if __name__ == "__main__":
    main()
