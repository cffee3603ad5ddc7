"""Badges are valid SVG, say what the certificate does, and are red where it fails or does not hold."""

import dataclasses
from xml.etree import ElementTree as ET

import pytest

from harness.certificate import badge
from harness.certificate.statement import CertificateResult, NotRun, Statement
from harness.certificate.verifying import CheckedCertificate
from harness.contract.codec import read
from harness.contract.verdict import NO_REFERENCE, Verdict
from harness.results.tally import Standing

SVG = "{http://www.w3.org/2000/svg}"


def statement(issued, result, standing=Standing.CONFORMS):
    whole = read(Statement, issued.plain)
    plugins = tuple(
        dataclasses.replace(
            case, verdict=standing, rules=tuple(dataclasses.replace(rule, verdict=Verdict.PASS) for rule in case.rules)
        )
        for case in whole.facts.plugins
    )
    facts = dataclasses.replace(whole.facts, plugins=plugins)
    return dataclasses.replace(
        whole, predicate=dataclasses.replace(whole.predicate, result=result, trt_conformance=facts)
    )


@pytest.mark.parametrize(
    ("result", "standing", "told"),
    [
        (CertificateResult.PASSED, Standing.CONFORMS, ("conforms level 5", "#4c1")),
        (CertificateResult.WARNED, Standing.CONFORMS, ("conforms level 5", "#97ca00")),
        (
            CertificateResult.WARNED,
            Standing.CONFORMS_UNEXECUTED,
            ("conforms level 5, kernels not executed", "#97ca00"),
        ),
        (
            CertificateResult.WARNED,
            Standing.CONFORMS_BY_STAND_INS,
            ("conforms level 5, kernels replaced", "#97ca00"),
        ),
        (CertificateResult.FAILED, Standing.FAILS, ("fails level 5", "#e05d44")),
        (CertificateResult.FAILED, Standing.INCOMPLETE, ("fails level 5", "#e05d44")),
    ],
)
def test_it_says_what_the_certificate_does(issued, result, standing, told):
    assert badge.words(CheckedCertificate(statement(issued, result, standing), ())) == told


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (Verdict.NOTE, ""),
        (Verdict.WARN, ", with warnings"),
        (Verdict.XFAIL, ", with known failures"),
        (Verdict.NOT_RUN, ", not all rules judged"),
    ],
)
def test_it_says_why_the_result_is_warned(issued, verdict, reason):
    whole = statement(issued, CertificateResult.WARNED)
    (case, *more) = whole.facts.plugins
    rules = (dataclasses.replace(case.rules[0], verdict=verdict), *case.rules[1:])
    facts = dataclasses.replace(whole.facts, plugins=(dataclasses.replace(case, rules=rules), *more))
    whole = dataclasses.replace(whole, predicate=dataclasses.replace(whole.predicate, trt_conformance=facts))
    assert badge.words(CheckedCertificate(whole, ()))[0] == f"conforms level 5{reason}"


def test_it_says_that_no_result_was_compared(issued):
    whole = statement(issued, CertificateResult.PASSED)
    lacking = (NotRun("conformance::/Bar/1::rows::ENQ-010", NO_REFERENCE),)
    facts = dataclasses.replace(whole.facts, not_run=lacking)
    unchecked = dataclasses.replace(whole, predicate=dataclasses.replace(whole.predicate, trt_conformance=facts))
    told = "conforms level 5, results not checked"
    assert badge.words(CheckedCertificate(unchecked, ())) == (told, "#4c1")


def test_what_does_not_hold_is_red_whatever_it_says(issued):
    whole = statement(issued, CertificateResult.PASSED)
    assert badge.words(CheckedCertificate(whole, ("it was edited",))) == ("certificate invalid", "#e05d44")
    assert badge.words(CheckedCertificate(None, ("no form",))) == ("certificate invalid", "#e05d44")


def test_it_is_svg_that_a_screen_reader_can_tell():
    root = ET.fromstring(badge.svg('conforms <level> 5 & "more"', "#4c1"))  # noqa: S314 - ours
    told = 'TensorRT plugin: conforms <level> 5 & "more"'
    assert (root.tag, root.get("role"), root.get("aria-label")) == (f"{SVG}svg", "img", told)
    assert root.findtext(f"{SVG}title") == told
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert texts == ["TensorRT plugin"] * 2 + ['conforms <level> 5 & "more"'] * 2


def test_both_halves_fit_their_texts():
    root = ET.fromstring(badge.svg("conforms level 5", "#4c1"))  # noqa: S314 - ours
    left, right = (int(each.get("width")) for each in list(root.iter(f"{SVG}rect"))[1:3])
    assert int(root.get("width")) == left + right
    shown = [int(each.get("textLength")) for each in root.iter(f"{SVG}text")]
    assert shown == [left - 12, left - 12, right - 12, right - 12]
    assert root.find(f"{SVG}g").findall(f"{SVG}rect")[1].get("fill") == "#4c1"


def test_a_longer_text_makes_a_wider_badge():
    narrow, wide = (ET.fromstring(badge.svg(text, "#4c1")) for text in ("fails", "conforms level 10"))  # noqa: S314 - ours
    assert int(narrow.get("width")) < int(wide.get("width"))
