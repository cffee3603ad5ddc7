"""Write the pages of the rules on the site: one for each rule, one for each family, and the index."""

import functools
import itertools
import pathlib

import site_links
from pages import coverage_page, generated

from harness.contract import catalogue
from harness.contract.api_level import SPECS
from harness.contract.explaining import explanation, witnesses
from harness.contract.extra_tools import ALL

ROOT = pathlib.Path(__file__).resolve().parents[2]


@functools.cache
def _rules():
    return catalogue.load(ALL).rules


def ids():
    """Return the ids of all rules."""
    return tuple(_rules())


def is_generated(page):
    """Return whether a page is generated for the site, with links that work only there."""
    name = page.removeprefix("rules/").removesuffix(".md")
    return page.startswith("rules/") and (name == "index" or name in _rules() or name in _titles())


def pages():
    """Return the text of each page by its path on the site."""
    faults = witnesses.by_rule(frozenset(_rules()))
    made = {"rules/index.md": _index()}
    for family, group in itertools.groupby(_rules().values(), key=lambda rule: rule.family):
        members = list(group)
        made[f"rules/{family}.md"] = family_page(family, members, _reasons())
        for before, rule, after in zip([None, *members], members, [*members[1:], None], strict=False):
            made[f"rules/{rule.id}.md"] = rule_page(rule, faults.get(rule.id, []), (before, after))
    return made


def rule_page(rule, faults, neighbors=(None, None)):
    """Return the page of one rule, with the planted faults that it detects, and links to its neighbours."""
    lines = [
        "---",
        f"title: {_quoted(f'{rule.id}: {rule.requirement}')}",
        f"description: {_quoted(rule.requirement)}",
        "---",
        "",
        f"# {rule.id}",
        "",
        f"**{_line(rule.requirement)}**",
        "",
        f"[All rules](index.md) · [{rule.family}: {_titles()[rule.family]}]({rule.family}.md)",
        "",
    ]
    if rule.reason:
        lines += ["## Why", "", _code(rule.reason), ""]
    lines += ["## Facts", "", "| | |", "|---|---|", *(f"| {name} | {text} |" for name, text in _facts(rule)), ""]
    for fault in faults:
        lines += _fault(fault)
    alone = f"pytest --plugin-module=my_plugin --plugin-select={rule.id}"
    lines += [*_checked(rule), "## Judging it alone", "", "```text", alone, "```", "", *_expected(rule)]
    return "\n".join([*lines, *_around(neighbors)]).rstrip() + "\n"


def family_page(family, rules, reasons):
    """Return the page of a family: its rules, and those of the contract that are not implemented, with the reason."""
    lines = [f"# {family}: {_titles()[family]}", "", "[All rules](index.md)", ""]
    lines += ["| rule | severity | requirement |", "|---|---|---|"]
    lines += [f"| [{rule.id}]({rule.id}.md) | {rule.severity.value} | {_line(rule.requirement)} |" for rule in rules]
    left = [rule for rule in reasons if rule.partition("-")[0] == family]
    if left:
        lines += ["", "## Left out", ""]
        items = [f"* **{rule}**: {reasons[rule].removeprefix(coverage_page.OPEN)}" for rule in left]
        lines += [site_links.moved(item, f"rules/{family}.md", "docs/contributing/excused_rules.md") for item in items]
    lines += ["", "## Judging this family alone", "", "```text"]
    return "\n".join([*lines, f"pytest --plugin-module=my_plugin --plugin-select={family}", "```"]) + "\n"


def _index():
    rules, reasons = _rules().values(), _reasons()
    lines = [
        "# Rules",
        "",
        f"{len(rules)} rules of the contract between TensorRT and a plugin. Each has a page: what it requires and why,",
        "where TensorRT says so, how it is checked, and a planted fault that it catches. In a terminal",
        "`trt-conformance explain FMT-001` prints the same.",
        "",
        f"{len(reasons)} rules of the catalogue [are not implemented](../contributing/excused_rules.md).",
        "",
        "| family | | rules | left out |",
        "|---|---|---|---|",
    ]
    counts = {family: len(list(group)) for family, group in itertools.groupby(rules, key=lambda rule: rule.family)}
    for family in dict.fromkeys([*_titles(), *counts]):
        left = sum(rule.partition("-")[0] == family for rule in reasons)
        name = (
            f"[{family}]({family}.md)"
            if family in counts
            else f"[{family}](../contributing/excused_rules.md#{family.lower()})"
        )
        lines.append(f"| {name} | {_titles()[family]} | {counts.get(family, 0)} | {left or ''} |")
    return "\n".join(lines) + "\n"


def _facts(rule):
    yield "severity", _severities(rule)
    yield "source", _line(str(rule.source))
    yield "interfaces", ", ".join(f"`{each.value}`" for each in sorted(rule.interfaces, key=lambda each: each.value))
    option = f", with `{rule.tool.option}`" if rule.tool else ""
    yield "judged from level", f"[{rule.level}](../options.md#levels){option}"
    if rule.drives:
        yield "drives an engine", "yes: it is judged with every seed of the run"
    yield "rests on", ", ".join(f"[{each}]({each}.md)" for each in sorted(rule.requires)) or "no other rule"
    if rule.owns:
        yield "reports", f"unexpected failures of {', '.join(f'`{each}`' for each in sorted(rule.owns))}"


def _severities(rule):
    other = [
        f"{rule.severity_at(spec).value} at {spec}" for spec in SPECS if rule.severity_at(spec) is not rule.severity
    ]
    return "; ".join([rule.severity.value, *other])


def _checked(rule):
    yield from ("## How it is checked", "")
    yield f"By `{rule.judge.__name__}` in `{explanation.place(rule.judge).rpartition(':')[0]}`, which looks with:"
    yield ""
    checks = [f"* `{name}`: {_line(purpose)}" for name, purpose in explanation.checks(rule.judge)]
    yield from checks or ["* the plugin itself: the question is asked directly"]
    yield ""


def _expected(rule):
    yield from ("## Expecting it to fail", "")
    yield "In the case, with the fingerprint of the report ([known failures](../known_failures.md#expected-failures)):"
    yield from ("", "```python")
    yield f'"expected_failures": {{"{rule.id}": {{"reason": "why, with a link", "fingerprint": "..."}}}},'
    yield from ("```", "")


def _fault(fault):
    yield from ("## A planted fault", "", _line(fault.defect), "")
    for name, excerpts in (("Faulty", fault.faulty), ("Sound", fault.mended)):
        for excerpt in excerpts:
            language = "cpp" if excerpt.file.endswith(".cpp") else "python"
            yield from (f"{name}, `{excerpt.file}`:", "", f"```{language}", *excerpt.lines, "```", "")


def _around(neighbors):
    words = ("before", "after")
    links = [f"{word}: [{rule.id}]({rule.id}.md)" for word, rule in zip(words, neighbors, strict=True) if rule]
    return ["---", "", " · ".join(links)] if links else []


def _titles():
    return {**generated.FAMILIES, **generated.WITH_AN_OPTION}


@functools.cache
def _reasons():
    return coverage_page.reasons((ROOT / "docs" / "contributing" / "excused_rules.md").read_text(encoding="utf-8"))


def _code(text):
    return text.replace("``", "`")


def _line(text):
    return _code(" ".join(text.split())).replace("|", "\\|")


def _quoted(text):
    plain = " ".join(text.split()).replace("``", "").replace('"', "'")
    return f'"{plain}"'
