"""What was not judged is told by reason, and what the run was made with."""

from harness.reports.html.surroundings import environment, left_out, not_run
from tests.support.html_documents import OPTIONS, document


def test_what_was_not_judged_is_listed_by_reason():
    left = [{"id": f"conformance::/Bar/1::rows::FMT-00{number}", "reason": "needs a <GPU>"} for number in (1, 2)]
    page = not_run(document(not_run=left))
    assert page.count("needs a &lt;GPU&gt;") == 1
    assert "2 items" in page
    assert "<code>/Bar/1::rows::FMT-002</code>" in page


def test_where_nothing_is_missing_it_says_so():
    assert "No rule was left out" in not_run(document())


def test_what_the_verdicts_leave_out_is_listed():
    page = left_out(document(left_out=["conformance::/Bar/1::rows: its reference is <constant>"]))
    assert "<li>/Bar/1::rows: its reference is &lt;constant&gt;</li>" in page


def test_versions_seeds_and_given_options_are_told():
    page = environment(document(options={**OPTIONS, "setup": "m:<f>"}, databases=["/cache"]))
    for name, value in {"python": "3.11", "seeds": "0, 1, 2", "option setup": "m:&lt;f&gt;"}.items():
        assert f'<th scope="row">{name}</th><td>{value}</td>' in page
    assert "option onnx<" not in page
    assert "/cache" in page
