"""The README's numbers are those of the code, and pages for users are short."""

import re

from harness.contract import catalogue
from harness.contract.explaining.real_bugs import real_bugs
from tools import page_sizes

README = (page_sizes.ROOT / "README.md").read_text(encoding="utf-8")
MOST_LINES, MOST_WORDS, MOST_LINES_OF_THE_TRANSCRIPT = 130, 25_000, 9


def test_the_number_of_rules_is_that_of_a_run():
    assert re.findall(r"(\d+) rules of the plugin contract", README) == [str(len(catalogue.load().rules))]


def test_the_numbers_of_real_bugs_are_those_of_the_list():
    caught = sum(bool(bug.caught) for bug in real_bugs())
    met = sum(bool(bug.links) for bug in real_bugs())
    assert f"{len(real_bugs())} real bugs of TensorRT plugins, {met} from public issue threads" in README
    assert f"it catches [{caught}](docs/real_bugs.md)" in README


def test_the_readme_is_short_and_begins_with_a_failure():
    transcript = re.search(r"```text\n(.*?)```", README, re.DOTALL)
    assert transcript
    assert transcript[1].count("\n") <= MOST_LINES_OF_THE_TRANSCRIPT
    assert page_sizes.lines(page_sizes.ROOT / "README.md") <= MOST_LINES


def test_pages_for_users_are_short():
    assert sum(map(page_sizes.words, page_sizes.pages_for_users())) <= MOST_WORDS


def test_each_page_is_in_the_navigation_once():
    nav = (page_sizes.ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    named = re.findall(r"[\w/]+\.md", nav)
    files = {file.relative_to(page_sizes.ROOT / "docs").as_posix() for file in (page_sizes.ROOT / "docs").rglob("*.md")}
    assert len(named) == len(set(named))
    assert files <= set(named)
