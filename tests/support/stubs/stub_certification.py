"""A pytest plugin (``-p stub_certification``): stub catalogue and stub judge take the place of the real ones."""

import importlib.metadata

from harness.contract import catalogue
from harness.controller.children import child_process, in_process
from tests.support import stub_judges

ENTRY = importlib.metadata.EntryPoint("stub", "stub_rules", catalogue.GROUP)

catalogue._entry_points = lambda: [ENTRY]
child_process.BOOT = stub_judges.boot("stub_contract")
in_process.the_judge = stub_judges.loader("stub_contract")
