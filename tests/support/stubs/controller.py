"""Stands in for pytest's process: loads the module named first, asks for the function named second, for ever."""

import sys

from harness.controller.children import child_process
from harness.controller.children.isolation import ProcessIsolation
from harness.protocol.messages import ChildSettings, Request
from tests.support import stub_judges

child_process.BOOT = stub_judges.boot("stub_judging")
isolation = ProcessIsolation(ChildSettings(module=sys.argv[1], timeout=3600))
isolation.load()
isolation.ask(Request(sys.argv[2], "/Bar/1", "case"))
