"""A card tells the verdict on a plugin, and what it rests on."""

from harness.reports.html.subjects import plugins_of
from harness.reports.html.summary import headline, summary
from tests.support.html_documents import case, document, failing, rule


def told(*cases, **more):
    made = document(*cases, **more)
    return headline(made, plugins_of(made)) + summary(made, plugins_of(made))


def test_the_headline_counts_plugins_by_verdict():
    page = told(case(rule()), case(failing(), label="/Foo/1"), case(rule(), label="/Baz/1"))
    assert '<p class="lead">3 plugins · 2 CONFORMS · 1 FAILS</p>' in page


def test_applications_are_counted_apart_and_have_no_kernels():
    page = told(case(rule()), case(rule(), label="app:main", interface="application"))
    assert '<p class="lead">1 plugin · 1 application · 2 CONFORMS</p>' in page
    assert page.count("<dt>Kernels</dt>") == 1


def test_a_rule_counts_once_by_its_worst_verdict():
    page = told(case(rule(), rule("SHP-001", "N/A")), case(failing(), rule("SHP-001", "N/A"), name="images"))
    assert "1 FAIL, 1 N/A" in page


def test_kernels_that_did_not_run_are_told_as_such():
    assert "executed on host" in told()
    assert "not executed" in told(case(rule(), kernels_executed=False))
    assert "stand-ins ran for relu" in told(case(rule(), kernels_executed=False, stand_ins=["relu"]))


def test_rules_that_were_not_selected_are_counted():
    assert "<dd>1 of 166</dd>" in told(case(rule(), total=166))


def test_an_interrupted_run_and_internal_errors_are_told_first():
    page = told(status="interrupted", internal_errors=["Traceback <x>"])
    assert "This run was interrupted" in page
    assert "Traceback &lt;x&gt;" in page


def test_a_run_without_plugins_says_so():
    page = told(plugins=[], modules=[{"module": "dies"}])
    assert "1 module failed as a whole" in page
    assert "No plugin was certified." in page
