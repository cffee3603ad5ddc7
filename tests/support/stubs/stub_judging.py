"""Stands in for harness.child.judge: a request's rule names the function of the user's module to call."""

import sys

from harness.contract.verdict import Answer, Kind
from harness.process import flight_recorder

module = None


def rules():
    return {}


def prepare(settings):
    global module  # noqa: PLW0603 - as one child prepares one module
    module = sys.modules[settings.module]
    getattr(module, "on_prepare", lambda: None)()


def discover(settings, shunned, *, careful=False):  # noqa: ARG001 - the child's contract
    found = getattr(module, "on_discover", list)()
    return {"plugins": found, "problems": [], "module": settings.module}


def judge(request):
    rule = request["rule"]
    if rule.startswith("rule_"):
        return answer(getattr(module, rule)())
    flight_recorder.record("Bar#1", "clone", "context")
    flight_recorder.returned()
    flight_recorder.record("Bar#1", rule, "execution", "pos=1")
    result = getattr(module, rule)()
    flight_recorder.returned()
    return answer(result)


def answer(result):
    if isinstance(result, Answer):
        return result.to_plain()
    return Answer(Kind.JUDGED, evidence=1, reason=repr(result)).to_plain()
