"""Draw a badge in the style of shields.io: an SVG with the verdict of a certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from harness.certificate.statement import CertificateResult
from harness.contract.verdict import NO_REFERENCE, Verdict
from harness.results.tally import Standing

if TYPE_CHECKING:
    from harness.certificate.statement import Statement
    from harness.certificate.verifying import CheckedCertificate

_LABEL = "TensorRT plugin"
_COLOURS = {CertificateResult.PASSED: "#4c1", CertificateResult.WARNED: "#97ca00", CertificateResult.FAILED: "#e05d44"}
_RED = _COLOURS[CertificateResult.FAILED]
_REMARKS = {
    Standing.CONFORMS_UNEXECUTED: ", kernels not executed",
    Standing.CONFORMS_BY_STAND_INS: ", kernels replaced",
    Standing.PARTIAL: " in part",
}
#: The number of pixels on each side of a text.
_PAD = 6
#: The widths of characters of Verdana at 11 pixels, in pixels; other characters are about 6.6 wide.
_WIDTHS = {**dict.fromkeys("il.,:'|!", 3.5), **dict.fromkeys(" ftrj()-/", 4.6), **dict.fromkeys("mwMW%", 10.5)}


def words(checked: CheckedCertificate) -> tuple[str, str]:
    """Return the text and the colour of a certificate's badge; for an invalid certificate the colour is red."""
    if checked.problems or checked.statement is None:
        return "certificate invalid", _RED
    return _verdict(checked.statement), _COLOURS[checked.statement.predicate.result]


def svg(message: str, colour: str, label: str = _LABEL) -> str:
    """Return the badge as an SVG document."""
    left, right = _width(label), _width(message)
    title = escape(f"{label}: {message}")
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label={quoteattr(f"{label}: {message}")}>
<title>{title}</title>
<linearGradient id="s" x2="0" y2="100%">
<stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/>
</linearGradient>
<clipPath id="r"><rect width="{left + right}" height="20" rx="3" fill="#fff"/></clipPath>
<g clip-path="url(#r)">
<rect width="{left}" height="20" fill="#555"/>
<rect x="{left}" width="{right}" height="20" fill="{colour}"/>
<rect width="{left + right}" height="20" fill="url(#s)"/>
</g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
{_text(label, left / 2, left)}
{_text(message, left + right / 2, right)}
</g>
</svg>
"""  # noqa: E501 - one element is one line


def _verdict(statement: Statement) -> str:
    level = f"level {statement.facts.level}"
    if statement.predicate.result is CertificateResult.FAILED:
        return f"fails {level}"
    standings = {case.verdict for case in statement.facts.plugins}
    remark = next((text for standing, text in _REMARKS.items() if standing in standings), "")
    verdicts = {rule.verdict for case in statement.facts.plugins for rule in case.rules}
    known = ", with known failures" if Verdict.XFAIL in verdicts else ""
    warned = ", with warnings" if Verdict.WARN in verdicts else ""
    unchecked = ", results not checked" if any(each.reason == NO_REFERENCE for each in statement.facts.not_run) else ""
    reasons = f"{known}{warned}{remark}{unchecked}"
    unjudged = ", not all rules judged" if not reasons and Verdict.NOT_RUN in verdicts else ""
    return f"conforms {level}{reasons}{unjudged}"


def _text(text: str, middle: float, width: int) -> str:
    """Return SVG for a text and its shadow, centred at ``middle`` in a part of the badge."""
    length = f'textLength="{width - 2 * _PAD}"'
    shadow = f'<text aria-hidden="true" x="{middle}" y="15" fill="#010101" fill-opacity=".3" {length}>'
    return f'{shadow}{escape(text)}</text>\n<text x="{middle}" y="14" {length}>{escape(text)}</text>'


def _width(text: str) -> int:
    return round(sum(_WIDTHS.get(letter, 6.6) for letter in text)) + 2 * _PAD
