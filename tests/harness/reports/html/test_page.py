"""The page is one file that asks for nothing, whatever a plugin says in it."""

import base64
import hashlib
import html.parser
import re

from harness.reports.html.page import render
from tests.harness.controller.tracing.test_read import call, end
from tests.support.html_documents import appendix, case, document, failing, rule, trace, violation

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u202e\x00\ud800"


def hostile():
    bad = violation(HOSTILE, where=HOSTILE, expected=HOSTILE, observed=HOSTILE, fix=HOSTILE, source=HOSTILE)
    entry = failing("FMT-001", bad, bad, reason=HOSTILE, replay=HOSTILE, examples=[{HOSTILE: HOSTILE}],
                    mishap={"callback": HOSTILE, "how": HOSTILE, "stack": HOSTILE, "calls": [HOSTILE]})  # fmt: skip
    label = "/" + HOSTILE.replace("::", "")
    answers = {
        "tensor": HOSTILE,
        "after": [HOSTILE],
        "accepted": [HOSTILE],
        "refused": [],
        "failed": {HOSTILE: HOSTILE},
    }
    made = document(
        case(
            entry,
            label=label,
            name=HOSTILE,
            module=HOSTILE,
            creator=HOSTILE,
            file=HOSTILE,
            stand_ins=[HOSTILE],
            formats=[answers],
            shapes={"held": [[[1]], [[2]]], "violating": [], "left_out": 0},
        ),
        not_run=[{"id": HOSTILE, "reason": HOSTILE}],
        internal_errors=[HOSTILE],
        modules=[{**failing("IMPORT", bad), "module": HOSTILE, "given": HOSTILE}],
    )
    called = (call(1, HOSTILE, HOSTILE, kind=HOSTILE, arguments=[HOSTILE]), end(1, value=HOSTILE, outcome="raised"))
    measured = {"id": HOSTILE, "case": HOSTILE, "series": {"host_enqueue": [1e-5]}, "facts": {"machine": HOSTILE},
                "lines": [HOSTILE]}  # fmt: skip
    compared = {"id": HOSTILE, "case": HOSTILE, "with": HOSTILE, "said": HOSTILE}
    witness = {"name": HOSTILE, "file": HOSTILE, "breaks": "FMT-001", "also": {}, "defect": HOSTILE}
    return made | appendix(
        traces={HOSTILE: trace(*called, note=HOSTILE)},
        latencies={"measured": [measured], "compared": [compared]},
        witnesses=[witness],
    )


class Tags(html.parser.HTMLParser):
    """Collects tags, attributes and ids, and finds tags that are not closed in order."""

    VOID = ("meta", "br", "hr", "input")

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.ids, self.open = [], [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_nothing_that_a_plugin_says_becomes_markup():
    page = render(hostile())
    parsed = Tags(page)
    assert parsed.open == []
    assert parsed.tags.count("script") == 1
    assert "img" not in parsed.tags
    assert not [name for name, _ in parsed.attributes if name.startswith("on") or name == "style"]
    assert page.count("alert(1)") > 30
    assert not set("\u202e\x00\ud800") & set(page)
    page.encode()


def test_the_policy_names_the_one_style_sheet_and_the_one_script():
    page = render(document())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#x27;", "'")
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_it_refers_to_nothing_outside():
    page = render(document() | appendix())
    parsed = Tags(page)
    links = [value for name, value in parsed.attributes if name in ("href", "src", "action", "xlink:href")]
    assert links
    assert all(link.startswith("#") for link in links)
    assert "url(" not in page
    assert "@import" not in page


def test_links_lead_somewhere_and_ids_are_used_once():
    page = render(document(case(rule(), failing("SHP-001"))) | appendix())
    parsed = Tags(page)
    assert len(parsed.ids) == len(set(parsed.ids))
    assert {value[1:] for name, value in parsed.attributes if name == "href"} <= set(parsed.ids)


def test_sections_that_have_nothing_to_show_are_left_out():
    assert 'id="lifecycle"' not in render(document())
    assert 'id="latencies"' not in render(document() | appendix())
    assert 'id="lifecycle"' in render(document() | appendix())
    assert 'id="left-out"' not in render(document())
    assert 'id="left-out"' in render(document(left_out=["it has no reference"]))


def test_the_same_document_gives_the_same_page():
    assert render(hostile()) == render(hostile())


def test_a_picture_without_data_is_one_sentence():
    shapes = {"held": [[[1]], [[2]]], "violating": [], "left_out": 0}
    page = render(document(case(rule()), case(rule(), name="other", shapes=shapes)))
    assert "Nothing to draw: no rule asked about formats." in page
    assert "On 1 case no rule executed the plugin." in page


def test_notes_are_not_called_violations(make):
    def page(*verdicts):
        results = (make.result(f"R-00{n}", each, make.violation(each)) for n, each in enumerate(verdicts, 1))
        return render(make.document(make.plugin(*results)))

    assert "Notes (1)" in page("NOTE")
    assert "Violations (1), notes (1)" in page("NOTE", "WARN")
    assert "Violations (1)<" in page("FAIL")
