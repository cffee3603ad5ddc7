"""What a plugin says stays text: in the terminal, and in every report that a run can write."""

import html.parser
import json
import re
import xml.etree.ElementTree as ET

import pytest

from tests.support.adversity.hostile_text import PLUGIN

pytest_plugins = ["pytester"]

FILES = {"json": "r.json", "sarif": "r.sarif", "markdown": "r.md", "github": "r.txt", "html": "r.html"}
#: Characters that no report may have, nor the terminal.
UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture(name="said")
def what_a_hostile_plugin_made_of_all(certify, pytester):
    """Return what the terminal showed, and the text of each report."""
    reports = [f"--plugin-report={name}:{file}" for name, file in FILES.items()]
    result = certify(
        "-v", "-rA", "--color=no", "--junitxml=r.xml", "--plugin-report=perfetto:r.pf", *reports, plugin=PLUGIN
    )
    assert result.ret == pytest.ExitCode.INTERNAL_ERROR, result.stdout.str()  # the rule that raises
    texts = {path.suffix: path.read_bytes().decode() for path in pytester.path.glob("r.*")}
    return {"terminal": result.stdout.str(), **texts}


def test_it_stays_text_in_every_format(said):
    for name, text in said.items():
        assert not UNFIT.search(text), (name, UNFIT.search(text))
        assert len(text) < 400_000, name
        assert "planted" in text, name
    insist_on_no_commands(said["terminal"])
    insist_on_annotations(said[".txt"])
    insist_on_markdown(said[".md"])
    insist_on_html(said[".html"])
    insist_on_xml(said[".xml"])
    for name in (".json", ".sarif", ".pf"):
        assert said[name].isascii()
        json.loads(said[name], parse_constant=pytest.fail)


def insist_on_no_commands(terminal):
    lines = terminal.splitlines()
    assert [line for line in lines if line.lstrip().startswith("::")] == []
    assert [line for line in lines if "##[" in line or "##vso[" in line] == []
    assert "\\x3a:error file=planted" in terminal
    assert "\\x1b[31m" in terminal


def insist_on_annotations(text):
    pattern = r"::(error|warning|notice) ((file|line|title)=[^,:\r\n]*,?)+::[^\r\n]*"
    assert text.splitlines()
    assert [line for line in text.splitlines() if not re.fullmatch(pattern, line)] == []
    assert "file=planted" not in [word for line in text.splitlines() for word in re.split("[ ,:]", line.split("::")[1])]


def insist_on_markdown(text):
    """Take code away, in blocks and in lines; nothing that was planted is left."""
    blocks = re.sub(r"(?ms)^ *(`{3,})text\n.*?^ *\1$", "", text)
    left = re.sub(r"(?s)(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", blocks)
    assert "planted" not in left


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))


def insist_on_html(text):
    tags = Tags()
    tags.feed(text)
    assert [tag for tag, _ in tags.seen if tag in {"script", "style"}] == ["style", "script"]
    assert {"img", "iframe", "object", "embed", "base"}.isdisjoint(tag for tag, _ in tags.seen)
    assert not [name for _, attributes in tags.seen for name in attributes if name.startswith("on")]
    links = [attributes["href"] for _, attributes in tags.seen if attributes.get("href")]
    assert not [link for link in links if not link.startswith(("#", "https://", "data:"))]
    assert not [link for link in links if "planted.example" in link]


def insist_on_xml(text):
    found = {element.tag for element in ET.fromstring(text).iter()}  # noqa: S314 - we wrote it
    assert found <= {"testsuites", "testsuite", "testcase", "properties", "property"} | {
        *("failure", "error", "skipped", "system-out", "system-err")
    }
