"""Stands in for pytest's process: loads the module named first, asks for the function named second, for ever."""

import sys

from harness.controller.children.isolation import ChildSettings, ProcessIsolation, Request

isolation = ProcessIsolation(ChildSettings(module=sys.argv[1], judging="stub_judging", timeout=3600))
isolation.load()
isolation.ask(Request(sys.argv[2], "/Bar/1", "case"))
