"""A child that answers from a dictionary, and the rules and the plan of a plugin that it is asked about."""

from harness.contract.catalogue import checked
from harness.contract.finding import CallbackFailure, Violation
from harness.contract.interface import Interface
from harness.contract.rule import Severity, Source, rule
from harness.contract.verdict import Answer, Kind
from harness.protocol.requests import RequestKind
from harness.results.run_plan import CasePlan, PluginPlan

PREFLIGHT = RequestKind.PREFLIGHT.value


def word(request):
    """What a request asks for: its rule, or its kind where it asks for none."""
    return request.rule or request.kind.value


HELD = Answer(Kind.JUDGED, evidence=3)
VIOLATION = Violation("looked past pos", "in_out[1:]", "one answer", "two", "Look at pos only.")
BROKEN = Answer(Kind.JUDGED, evidence=3, broken=1, violations=(VIOLATION,))
KEY, CASE = "/Bar/1", "two-inputs"


def met(callback, how="raised ValueError: no"):
    return Answer(Kind.MET, mishap=CallbackFailure(callback, how))


def a_rule(rule_id, **facts):
    def judge(subject):
        """It holds."""

    return rule(rule_id, source=Source("a document", "a section"), **facts)(judge)


#: FMT-002 rests on FMT-001; callbacks have owners, and the owner of ``clone`` rests on FMT-001 too.
RULES = [
    a_rule("CLN-001", owns={"clone"}, requires={"FMT-001"}),
    a_rule("ENQ-001", owns={"enqueue"}),
    a_rule("ENQ-002"),
    a_rule("FMT-001", owns={"supports_format_combination"}),
    a_rule("FMT-002", requires={"FMT-001"}),
    a_rule("FMT-003", requires={"FMT-002"}, severity=Severity.WARNING),
    a_rule("SER-001", requires={"V3Q-001"}),
    a_rule("V3Q-001", interfaces=()),
]


class Child:
    """Answers from a dictionary, as a child would that is asked for one rule after the other.

    A callback that must not be called again, or whose failure is tolerated, is met no more.
    """

    def __init__(self, answers):
        self.answers = answers
        self.requests = []

    def ask(self, request):
        self.requests.append(request)
        answer = self.answers.get(word(request), HELD)
        if answer.mishap and answer.mishap.callback in request.shunned:
            return met(answer.mishap.callback, "is not called again")
        if answer.mishap and answer.mishap.callback in request.tolerated:
            return HELD
        return answer


def catalogue_of(rules):
    """Return the catalogue of some rules."""
    return checked({each.id: each for each in rules})


def plan_of(**case):
    """Return the plan of the plugin, with facts of its one case."""
    return PluginPlan(KEY, KEY, "bar", Interface.V2_DYNAMIC, "BarCreator", "bar.py", 1, (CasePlan(CASE, **case),))
