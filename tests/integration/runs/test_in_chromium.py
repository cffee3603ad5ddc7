"""Pages of real runs, in a browser: readable at both widths, without a complaint, and asking for nothing.

They are skipped only where no Chromium is on the path: ``apt-get install chromium``.
"""

import pytest

from harness.reports.html.page import render
from tests.support import chromium
from tests.support.adversity.hostile_text import PLUGIN
from tests.support.html_documents import case, document, failing, rule

pytest_plugins = ["pytester"]
pytestmark = [pytest.mark.nightly, pytest.mark.skipif(chromium.PROGRAM is None, reason="no Chromium is on the path")]

HOSTILE = """
import os
from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

PLUGIN_CASES = SCALE_CASES

class Evil(Scale):
    def configure_plugin(self, inputs, outputs):
        raise ValueError("<script>document.title = 'taken'</script><img src=http://example.com/x>" + "wide" * 300)

    def enqueue(self, *_):
        os.abort()

Evil.__name__ = "<script>document.title='taken'</script>" + "Long" * 50
publish(Evil)
"""
#: Tells which elements are wider than the page without scrolling in themselves.
TOO_WIDE = """
[...document.querySelectorAll("body *")].filter((each) =>
  each.getBoundingClientRect().right > document.documentElement.clientWidth + 1
  && !each.closest(".scroll, nav ul, pre, svg")).map((each) => each.outerHTML.slice(0, 200))
"""


@pytest.fixture(scope="module", name="browser")
def a_browser():
    with chromium.running() as browser:
        yield browser


@pytest.fixture(name="page_of")
def a_page_of_a_run(certify_as_a_user, pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # all others take their time

    def page_of(module, *arguments):
        page = pytester.path / "report.html"
        certify_as_a_user(
            "-p", "pytest_trt_conformance", f"--plugin-module={module}", f"--plugin-report=html:{page}", *arguments
        )
        return page

    return page_of


def insist_on_quality(browser, page):
    for width in (1280, 400):
        for scheme in ("light", "dark"):
            browser.show(page, width, scheme=scheme)
            assert browser.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
            assert browser.value(TOO_WIDE) == []
            assert browser.complaints == []
            assert browser.requests == [page.as_uri()]
            assert browser.value("document.title").startswith("TensorRT plugin conformance")
            assert browser.value("document.querySelectorAll('svg').length") > 0


def test_a_run_that_conforms(browser, page_of):
    page = page_of("plugin_examples.bar", "--plugin-select=CRE")
    insist_on_quality(browser, page)
    assert browser.value("document.querySelectorAll('.timeline .call').length") > 40
    insist_on_filtering(browser, page)
    insist_on_content_without_script(browser, page)


def insist_on_filtering(browser, page):
    browser.show(page, 1280)
    rows = "[...document.querySelectorAll('table.rules tbody tr')].filter((row) => !row.hidden).length"
    everything = browser.value(rows)
    browser.value(
        "const text = document.querySelector('#filter input'); text.value = 'cre-001';"
        "text.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    assert (browser.value(rows), everything > 1) == (1, True)
    assert browser.value("document.querySelector('output').textContent") == f"1 of {everything} shown"


def insist_on_content_without_script(browser, page):
    browser.show(page, 1280)
    said = "document.querySelector('main').innerText.length"
    with_script = browser.value(said)
    browser.show(page, 1280, script=False)
    assert browser.value("document.querySelector('#filter').offsetHeight") == 0
    assert browser.value(said) > with_script * 0.9


def test_a_run_that_fails(browser, page_of):
    page = page_of("plugin_examples.faulty.formats.format_peeks_ahead", "--plugin-select=FMT-001")
    insist_on_quality(browser, page)
    assert "Look" not in browser.value("document.title")
    assert "Decide from in_out[0] to in_out[pos] only." in browser.value("document.body.innerText")
    link = "document.querySelector('.violation h3 a').getAttribute('href')"
    assert browser.value(link) == "#rule-FMT-001"
    browser.value("location.hash = 'rule-FMT-001'")
    assert browser.value("document.querySelector('#rule-FMT-001').closest('details').open")


def test_a_run_that_is_hostile(browser, page_of, pytester):
    pytester.makepyfile(evil=HOSTILE)
    page = page_of("evil", "--plugin-select=ENQ-010,CFG-012")
    insist_on_quality(browser, page)
    assert browser.value("document.scripts.length") == 1
    assert browser.value("document.images.length") == 0
    assert "The trace is not complete: enqueue died by SIGABRT" in browser.value("document.body.innerText")


def test_whatever_a_plugin_says_is_shown_as_text(browser, certify, pytester):
    page = pytester.path / "report.html"
    certify(f"--plugin-report=html:{page}", plugin=PLUGIN)
    browser.show(page, 1280)
    assert browser.complaints == []  # what was planted would not find the function that it calls
    assert browser.requests == [page.as_uri()]
    assert browser.value("[document.scripts.length, document.images.length]") == [1, 0]
    assert browser.value("[...document.links].filter((each) => each.href.includes('planted.example')).length") == 0
    assert "<img src=x onerror=planted(1)>" in browser.value("document.body.textContent")


def test_markup_that_found_its_way_in_could_do_nothing(browser, tmp_path):
    page = tmp_path / "page.html"
    inside = "<script>document.title = 'taken'</script><img src='http://localhost:9/x' onerror='document.title = 1'>"
    page.write_text(render(document()).replace("<main>", f"<main>{inside}"))
    browser.show(page, 1280)
    assert browser.value("document.title").startswith("TensorRT plugin conformance")
    refused = [event["params"]["blockedReason"] for event in browser.said if event["method"] == "Network.loadingFailed"]
    assert refused == ["csp"]


def test_a_library_is_sorted_and_searched(browser, tmp_path):
    page = tmp_path / "page.html"
    cases = [case(failing(), label="/B/1"), case(rule(), rule("FMT-002"), label="/A/1"), case(rule(), label="/C/1")]
    page.write_text(render(document(*cases)))
    insist_on_quality(browser, page)
    browser.show(page, 1280)
    shown = "[...document.querySelectorAll('table.library tbody tr')].filter((row) => !row.hidden)"
    names = f"{shown}.map((row) => row.cells[0].textContent).join()"
    assert browser.value(names) == "/B/1,/A/1,/C/1"
    for column, order in ((0, "/A/1,/B/1,/C/1"), (0, "/C/1,/B/1,/A/1"), (2, "/C/1,/A/1,/B/1")):
        browser.value(f"document.querySelectorAll('table.library th button')[{column}].click()")
        assert browser.value(names) == order
    assert browser.value("document.querySelectorAll('table.library th')[2].ariaSort") == "ascending"
    browser.value(
        "const field = document.querySelector('#search input'); field.value = 'fmt-001';"
        "field.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    assert browser.value(names) == "/B/1"
    assert browser.value("document.querySelector('#search output').textContent") == "1 of 3 shown"
