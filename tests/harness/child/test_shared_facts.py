"""What rules that are judged in one process know of each other's answers."""

import dataclasses

from harness.child.shared_facts import SharedFacts
from harness.contract.verdict import Answer, Kind
from harness.protocol.messages import Request
from harness.protocol.requests import RequestKind, Watched
from harness.subject.subject import Facts

REQUEST = Request("FMT-001", "/P/1", "plain")
HELD = Answer(Kind.JUDGED, evidence=1)


def shared(*, answer=HELD, request=REQUEST):
    facts = SharedFacts()
    facts.keep(request, Facts({**facts.lent_to(request), "shape": (2, 3)}), answer)
    return facts


def test_the_next_rule_knows_what_the_one_before_found_out():
    assert shared().lent_to(dataclasses.replace(REQUEST, rule="FMT-002")) == {"shape": (2, 3)}


def test_a_fuzz_rule_knows_it_too_whatever_is_watched_meanwhile():
    watched = dataclasses.replace(REQUEST, rule="FUZ-006", examples=[{}], watched=Watched.CODE)
    assert shared().lent_to(watched) == shared(request=watched).lent_to(REQUEST) == {"shape": (2, 3)}


def test_what_a_rule_is_lent_is_its_own():
    facts = shared()
    facts.lent_to(REQUEST)["more"] = 1
    assert facts.lent_to(REQUEST) == {"shape": (2, 3)}


def test_nothing_is_kept_of_a_rule_in_which_something_failed():
    for answer in (Answer(Kind.MET), Answer(Kind.NOT_RUN), dataclasses.replace(HELD, broken=1)):
        assert shared(answer=answer).lent_to(REQUEST) == {}


def test_another_case_seed_level_or_callback_that_is_shunned_is_another_matter():
    others = ({"case": "other"}, {"seed": 1}, {"level": 10}, {"shunned": {"clone": "CLN-006"}}, {"plugin": "/Q/1"})
    for other in others:
        assert shared().lent_to(dataclasses.replace(REQUEST, **other)) == {}


def test_what_measures_starts_from_nothing():
    assert shared().lent_to(REQUEST.asking(RequestKind.PREFLIGHT)) == {}
