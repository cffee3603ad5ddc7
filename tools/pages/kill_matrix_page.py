"""Write contributing/kill_matrix.md: the witnesses that each rule detects, and the correct plugins."""

import itertools
from collections import Counter

#: The words behind a witness whose rule warns or notes.
_WORDS = {"WARN": " (warning)", "NOTE": " (note)"}
_COLUMN = "NVIDIA's builder notices"


def page(matrix, nvidias, rules, titles):
    """Return the page.

    Args:
        matrix: The content of tests/data/kill_matrix.json.
        nvidias: The content of tests/data/nvidias_matrix.json: the witnesses that NVIDIA's builder detects.
        rules: The ids of all rules, in order.
        titles: The title of each family.
    """
    witnesses = matrix["witnesses"]
    lines = [
        "# Kill matrix",
        "",
        "This page shows which rule detects which injected fault. Each *witness* (`plugin_examples/faulty/`) is a",
        "plugin with one defect. The witness declares the rule that it breaks, and other rules that must see the same",
        "defect, with the reason. *Near misses* (`plugin_examples/near_misses/`) are legal, and look like a defect.",
        "The tests judge all of them by all rules. A test fails if a finding is not declared, or if a declared finding",
        "is missing.",
        "",
        *_totals(matrix, rules),
        *_noticed(nvidias),
        "",
        *_sound(matrix),
    ]
    for family, group in itertools.groupby(rules, key=family_of):
        lines += [
            "",
            f"## {family}: {titles[family]}",
            "",
            f"| rule | broken by | also seen in | {_COLUMN} |",
            "|---|---|---|---|",
        ]
        lines += [_row(rule, witnesses, nvidias["witnesses"]) for rule in group]
    return "\n".join([*lines, "", *_reasons(witnesses)]) + "\n"


def family_of(rule):
    """Return the letters of a rule's id."""
    return rule.partition("-")[0]


def kills(witnesses, rule):
    """Return the witnesses that declare to break a rule, and do break it."""
    return [name for name, entry in witnesses.items() if entry["breaks"] == rule and rule in entry["shows"]]


def others(witnesses, rule):
    """Return the witnesses that break a rule, and declare to break another rule."""
    return [name for name, entry in witnesses.items() if entry["breaks"] != rule and rule in entry["shows"]]


def undeclared(witnesses):
    """Return the witnesses that do not break exactly the rules that they declare; none if the tests pass."""
    return [name for name, entry in witnesses.items() if set(entry["shows"]) != {entry["breaks"], *entry["also"]}]


def _totals(matrix, rules):
    witnesses, sound = matrix["witnesses"], {**examples(matrix), **matrix["near_misses"]}
    witnessed = sum(bool(kills(witnesses, rule)) for rule in rules)
    total, beside = sum(len(entry["shows"]) for entry in witnesses.values()), _also(witnesses)
    return [
        "| | |",
        "|---|---|",
        f"| rules | {len(rules)} |",
        f"| with a witness in Python (NAT: in C++) | {witnessed} ({100 * witnessed // len(rules)}%) |",
        f"| witnesses | {len(witnesses)} |",
        f"| of these that break other rules, unlike their declaration | {len(undeclared(witnesses))} |",
        f"| violations found in witnesses | {total}: {total - beside} of declared rules, {beside} of other rules |",
        f"| correct examples and near misses | {len(examples(matrix))} and {len(matrix['near_misses'])} |",
        f"| FAIL, WARN or NOTE in these | {sum(len(entry['shows']) for entry in sound.values())} |",
    ]


def _noticed(nvidias):
    """Return the rows about NVIDIA's builder."""
    entries = nvidias["witnesses"]
    counts = Counter(name for rules in entries.values() for name in rules)
    rules = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    detected = sum(map(bool, entries.values()))
    return [
        f"| witnesses built by NVIDIA's {nvidias['builder']} | {len(entries)} |",
        f"| of these detected by rules of the [family GEN](../genuine.md) | {detected}: {rules} |",
    ]


def _also(witnesses):
    return sum(len(set(entry["shows"]) - {entry["breaks"]}) for entry in witnesses.values())


def examples(matrix):
    """Return the entries of the correct plugins, then those of the correct applications."""
    return {**matrix["examples"], **matrix.get("applications", {})}


def _sound(matrix):
    lines = ["## Correct plugins", "", "| example | rules that judged it | FAIL, WARN or NOTE |", "|---|---|---|"]
    lines += [
        f"| `{name}` | {len(entry['exercised'])} | {', '.join(entry['shows']) or 'none'} |"
        for name, entry in examples(matrix).items()
    ]
    if matrix["near_misses"]:
        lines += ["", "| near miss | looks like | FAIL, WARN or NOTE |", "|---|---|---|"]
        lines += [
            f"| `{name}` | {entry['looks_like']} | {', '.join(entry['shows']) or 'none'} |"
            for name, entry in matrix["near_misses"].items()
        ]
    return lines


def _row(rule, witnesses, noticed):
    names = kills(witnesses, rule)
    own = (f"`{name}`" + _WORDS.get(witnesses[name]["shows"][rule], "") for name in names)
    also = (f"`{name}`" for name in others(witnesses, rule))
    theirs = (f"`{name}`: {_rules(noticed[name])}" for name in names if name in noticed)
    return f"| {rule} | {', '.join(own) or '**none**'} | {', '.join(also)} | {', '.join(theirs)} |"


def _rules(names):
    return " and ".join(names) or "nothing"


def _reasons(witnesses):
    lines = [
        "## Why some witnesses break more than one rule",
        "",
        "| witness | breaks | also | because |",
        "|---|---|---|---|",
    ]
    return lines + [
        f"| `{name}` | {entry['breaks']} | {rule} | {reason.replace('|', chr(92) + '|')} |"
        for name, entry in witnesses.items()
        for rule, reason in sorted(entry["also"].items())
    ]
