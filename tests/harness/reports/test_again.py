"""The command that judges one thing again has every option that changes what is judged, and no other."""

from harness.reports.again import again

NODE = "conformance::/Bar/1::rows::FMT-001"


def test_the_usual_options_are_left_out(make):
    assert again(make.document(), NODE) == f"pytest --plugin-module=bar {NODE}"


def test_what_changes_the_verdict_is_said(make):
    document = make.document(seeds=[7], seed=7, spec="8.6")
    changed = {"modules": ["src/my plugin.py"], "onnx_dims": ["N=1:2:4"], "spec": "8.6", "setup": "m:f"}
    document["options"] |= changed
    assert again(document, f"{NODE}[1/2]") == (
        "pytest '--plugin-module=src/my plugin.py' --plugin-onnx-dims=N=1:2:4 --plugin-setup=m:f --plugin-spec=8.6 "
        f"--plugin-seed=7 '{NODE}[1/2]'"
    )


def test_of_several_modules_the_one_that_it_is_about_is_said(make):
    document = make.document()
    given = {"modules": ["bar", "broken"], "apps": ["service:main"]}
    document["options"] |= given
    document["sources"] = [{"module": "bar", "given": "bar"}, {"module": "service", "given": "service:main"}]
    document["plugins"] = [
        {"module": "bar", "id": "conformance::/Bar/1::rows"},
        {"module": "service", "id": "conformance::service:main::run"},
    ]
    assert again(document, NODE) == f"pytest --plugin-module=bar {NODE}"
    assert again(document, "conformance::service:main::run::APP-001") == (
        "pytest --plugin-app=service:main conformance::service:main::run::APP-001"
    )


def test_where_two_are_of_one_name_all_are_said(make):
    document = make.document()
    document["options"] |= {"modules": ["a/bar.py", "b/bar.py"]}
    document["sources"] = [{"module": "bar", "given": given} for given in ("a/bar.py", "b/bar.py")]
    document["plugins"] = [{"module": "bar", "id": "conformance::/Bar/1::rows"}]
    assert again(document, NODE) == f"pytest --plugin-module=a/bar.py --plugin-module=b/bar.py {NODE}"
