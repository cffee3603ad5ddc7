"""Write the section of contributing/detection.md about injected defects."""

import collections

from harness.contract.wording import counted


def section(results, operators, reasons):
    """Return the lines of the section.

    Args:
        results: The content of tests/data/mutations.json; empty if the file is missing.
        operators: The operators by name.
        reasons: ``{"id": {"kind": ..., "reason": ...}}``: why no rule detects a mutant, or no rule needs to.
    """
    if not results:
        return []
    mutants = [
        _Mutant(key, entry, module["interfaces"], operators, reasons.get(key))
        for module in results.values()
        for key, entry in module["mutants"].items()
        if key.split(":")[1] in operators
    ]
    rated = [mutant for mutant in mutants if not mutant.is_equivalent]
    return [
        "",
        "## Injected defects",
        "",
        "`tools/mutate.py` injects defects into correct examples by operators on their syntax trees, one at a time. A",
        "copy with one defect is a *mutant*. Each mutant is judged at level 5, first by the rules that are named for",
        "the kind of defect. If none of these reports the mutant, all other rules judge it.",
        f"{_judged(mutants, results)}",
        "*Noticed*: some rule fails or warns. *By its rule*: one of the named rules fails or warns. Mutants that are",
        "known to be equivalent to the original are not counted; the reasons are below. *CASES* is a check before the",
        "run: it reports a case with a field that the plugin lacks. [Mutation](../mutation.md) has the command for",
        "your own plugins.",
        "",
        "| | mutants | noticed | by its rule |",
        "|---|---|---|---|",
        _row("all", rated),
        *(_row(name, group) for name, group in _grouped(rated, lambda mutant: mutant.interface)),
        "",
        "| kind of defect | the defect | rules named for it | mutants | noticed | by its rule |",
        "|---|---|---|---|---|---|",
        *(_operator_row(operators[name], group) for name, group in _grouped(rated, lambda mutant: mutant.operator)),
        *_left(mutants),
    ]


def _judged(mutants, results):
    """Return a sentence that says whether all mutants were judged, or a sample."""
    planted = sum(module["planted"] for module in results.values())
    what = "all" if len(mutants) == planted else f"a sample of {len(mutants)} of"
    return f"Judged: {what} {planted} mutants of {counted(len(results), 'example')}."


class _Mutant:
    """One mutant, and its results."""

    def __init__(self, key, entry, interfaces, operators, reason):
        self.key, self.entry, self.reason = key, entry, reason
        self.module, self.operator, self.place, _ = key.split(":")
        self.interface = ", ".join(interfaces)
        self.is_noticed = entry["fate"] == "noticed"
        self.is_attributed = not {*entry.get("rules", ())}.isdisjoint(operators[self.operator].rules)
        self.is_equivalent = not self.is_noticed and reason is not None and reason["kind"] == "equivalent"


def _grouped(mutants, key):
    groups = collections.defaultdict(list)
    for mutant in mutants:
        groups[key(mutant)].append(mutant)
    return sorted(groups.items())


def _row(name, mutants):
    return f"| {name} | {len(mutants)} | {_share(mutants, 'is_noticed')} | {_share(mutants, 'is_attributed')} |"


def _operator_row(operator, mutants):
    defect, rules = operator.defect.replace("``", "`").replace("|", "\\|"), ", ".join(operator.rules)
    numbers = f"{len(mutants)} | {_share(mutants, 'is_noticed')} | {_share(mutants, 'is_attributed')}"
    return f"| `{operator.name}` | {defect} | {rules} | {numbers} |"


def _share(mutants, name):
    number = sum(getattr(mutant, name) for mutant in mutants)
    return f"{number} ({100 * number / max(len(mutants), 1):.0f} %)"


def _left(mutants):
    left = [mutant for mutant in mutants if not mutant.is_noticed]
    if not left:
        return []
    lines = ["", "### What is not noticed, and why", "", "| mutant | the change | why |", "|---|---|---|"]
    for mutant in sorted(left, key=lambda each: each.key):
        diff = "<br>".join(f"`{line}`" for line in mutant.entry.get("diff", ())).replace("|", "\\|")
        place = f"`{mutant.module}:{mutant.entry['line']}` `{mutant.operator}`"
        lines.append(f"| {place} | {diff} | {_why(mutant)} |")
    return lines


def _why(mutant):
    if mutant.reason is not None:
        return f"{mutant.reason['kind']}: {mutant.reason['reason']}".replace("|", "\\|")
    reasons = {
        "not_reached": "no case reaches it",
        "alike": "not judged by a person; a canonical drive shows no difference",
        "different": f"not judged by a person; it differs: {mutant.entry.get('difference', '')}",
    }
    why = reasons.get(mutant.entry.get("likeness", ""), mutant.entry.get("note", "not decided"))
    return why.replace("|", "\\|")
