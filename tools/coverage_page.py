"""The page docs/contract_coverage.md: each rule of the contract, implemented or with the reason why it is not."""

import itertools
import re

OPEN = "open: "
#: ``* REG-003, REG-004: reason``, which goes on in indented lines.
_ENTRY = re.compile(r"^\* ((?:[A-Z][A-Z0-9]+-\d{3}, )*[A-Z][A-Z0-9]+-\d{3}): (.+(?:\n  .+)*)$", re.MULTILINE)


def reasons(text):
    """Return why each rule is not implemented, from the first chapter of docs/excused_rules.md."""
    chapter = text.partition("\n# ")[0]
    return {rule: " ".join(found[2].split()) for found in _ENTRY.finditer(chapter) for rule in found[1].split(", ")}


def rules_of(contract):
    """Return the ids of all rules of the contract, family by family."""
    return [
        f"{family}-{number:03}"
        for family, count in contract["rules_by_family"].items()
        for number in range(1, count + 1)
    ]


def page(contract, families, implemented, matrix, excused):
    """Return the page.

    Args:
        contract: What tests/data/contract.json holds: how many rules a family has, a title for each that is not
            implemented, and why no example exercises some.
        families: The title of each family.
        implemented: The requirement of each implemented rule, by its id.
        matrix: What tests/data/kill_matrix.json holds.
        excused: Why each of the other rules is not implemented, by its id.
    """
    lines = [
        "# Coverage of the contract",
        "",
        "<!-- made by tools/generate_pages.py: contract.json and kill_matrix.json of tests/data, excused_rules.md -->",
        "",
        "Every rule about plugins and creators that is known of, by family. *Witnessed*: the number of planted faults",
        "that break it ([kill matrix](kill_matrix.md)). *Exercised*: the sound examples on which it judged something,",
        "and was content. What is not implemented or exercised has its reason; *open* is what shall be implemented and",
        "is not yet.",
        "",
        *_summary(contract, implemented, matrix, excused),
    ]
    for family, group in itertools.groupby(rules_of(contract), key=_family):
        lines += ["", f"## {family}: {families[family]}", ""]
        lines += ["| rule | requirement | witnessed | exercised on |", "|---|---|---|---|"]
        lines += [_row(rule, contract, implemented, matrix, excused) for rule in group]
    return "\n".join(lines) + "\n"


def _summary(contract, implemented, matrix, excused):
    lines = [
        "| family | defined | implemented | witnessed | exercised | excused | open |",
        "|---|---|---|---|---|---|---|",
    ]
    rows = [
        (family, *_counts(list(group), implemented, matrix, excused))
        for family, group in itertools.groupby(rules_of(contract), key=_family)
    ]
    total = ("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:]))
    return lines + [f"| {' | '.join(map(str, row))} |" for row in [*rows, total]]


def _counts(rules, implemented, matrix, excused):
    here = [rule for rule in rules if rule in implemented]
    absent = [rule for rule in rules if rule not in implemented]
    excuses = sum(rule in excused and not excused[rule].startswith(OPEN) for rule in absent)
    witnessed = sum(bool(_witnesses(rule, matrix)) for rule in here)
    exercised = sum(bool(_exercised(rule, matrix)) for rule in here)
    return len(rules), len(here), witnessed, exercised, excuses, len(absent) - excuses


def _row(rule, contract, implemented, matrix, excused):
    if rule in implemented:
        requirement = implemented[rule].replace("``", "`").replace("|", "\\|")
        return f"| {rule} | {requirement} | {_witnesses(rule, matrix)} | {_where(rule, contract, matrix)} |"
    title = contract["titles"].get(rule, "")
    return f"| {rule} | *{title}*: not implemented; {excused.get(rule, 'no reason is given')} | | |"


def _where(rule, contract, matrix):
    examples = _exercised(rule, matrix)
    if not examples:
        return f"its witnesses only: {contract['not_exercised'].get(rule, 'no reason is given')}"
    return "all" if len(examples) == len(matrix["examples"]) else ", ".join(examples)


def _witnesses(rule, matrix):
    return sum(entry["breaks"] == rule for entry in matrix["witnesses"].values())


def exercised(matrix):
    """Return the rules that judged something on any of the examples."""
    return {rule for entry in matrix["examples"].values() for rule in entry["exercised"]}


def _exercised(rule, matrix):
    return [name for name, entry in matrix["examples"].items() if rule in entry["exercised"]]


def _family(rule):
    return rule.partition("-")[0]
