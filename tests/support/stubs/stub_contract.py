"""Stands in for harness.child.judge where tests are about what pytest shows: the user's module says what to answer.

``PLUGINS`` lists keys, or ``{key: [case, ...]}``; a function named after a rule (``fmt_001``) is called for it.
It returns a number of findings that hold, a violation's ``what`` as text, or an :class:`Answer`. While it runs, a
callback is noted as running: its attribute ``callback``, if it has one.
"""

import importlib.metadata
import logging
import sys
import warnings

from harness.contract import catalogue
from harness.contract.finding import CallbackFailure, Violation
from harness.contract.verdict import Answer, Kind
from harness.process import flight_recorder, loaded_files

module = None
ENTRY = importlib.metadata.EntryPoint("stub", "stub_rules", catalogue.GROUP)


def rules():
    catalogue._entry_points = lambda: [ENTRY]
    return catalogue.load_rules()


def prepare(settings):
    global module  # noqa: PLW0603 - as one child prepares one module
    module = sys.modules[settings.module]


def discover(settings, shunned, *, careful=False):  # noqa: ARG001 - as the real judge has it
    getattr(module, "on_discover", lambda: None)()
    plugins = getattr(module, "PLUGINS", ["/Bar/1"])
    cases = plugins if isinstance(plugins, dict) else {key: [case("two-inputs")] for key in plugins}
    return {
        "plugins": [plugin(key, cases[key], settings) for key in cases],
        "problems": getattr(module, "PROBLEMS", []),
        "written": loaded_files.written(module, ours=["stub_contract", "stub_rules"]),
    }


def plugin(key, cases, settings):
    _, name, version = key.split("/")
    return {
        "key": key,
        "name": name,
        "version": version,
        "namespace": "",
        "module": settings.module,
        "interface": getattr(module, "INTERFACE", "IPluginV2DynamicExt"),
        "class": f"{name}Creator",
        "file": module.__file__,
        "line": 3,
        "registered": True,
        "cases": cases,
    }


def case(name, **more):
    return {"name": name, "inferred": False, "paste": "", "expected_failures": {}, "plain": None, **more}


def judge(request):
    asked_for = request["rule"] or request["kind"]
    function = getattr(module, asked_for.lower().replace("-", "_"), lambda *_: 3)
    callback = getattr(function, "callback", None)
    if callback in request["shunned"]:
        return Answer(Kind.MET, mishap=CallbackFailure(callback, "is not called again")).to_plain()
    if callback:
        flight_recorder.record("Bar#1", callback, "execution")
    answer = function(*request["arguments"]) if request["kind"] in {"latency", "trace"} else function()
    if isinstance(answer, str):
        answer = Answer(Kind.JUDGED, evidence=2, broken=1, violations=(violation(answer),))
    if isinstance(answer, int):
        answer = Answer(Kind.JUDGED, evidence=answer)
    return answer.to_plain()


def violation(what):
    return Violation(what, where="in_out[1:]", expected="one answer", observed="two answers", fix="Look at pos only.")


def not_applicable(reason):
    return Answer(Kind.NOT_APPLICABLE, reason=reason)


def not_run(reason):
    return Answer(Kind.NOT_RUN, reason=reason)


def needs_device(reason):
    return Answer(Kind.NOT_RUN, reason=reason, needs_device=True)


def met(callback):
    return Answer(Kind.MET, mishap=CallbackFailure(callback, "raised ValueError: no", where="Bar#1", stack="line 3"))


def noisy():
    sys.stdout.write("printed by the plugin\n")
    sys.stderr.write("complained by the plugin\n")
    logging.getLogger("plugin").warning("logged by the plugin")
    warnings.warn("warned by the plugin", stacklevel=1)
    return "noisy and wrong"
