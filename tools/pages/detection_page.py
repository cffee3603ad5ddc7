"""Write contributing/detection.md: the share of seeds with which fuzzing finds each injected fault."""

FAULTY = "../../plugin_examples/faulty/fuzzing"


def page(detection, defects, reasons, planted=()):
    """Return the page.

    Args:
        detection: The content of tests/data/detection.json.
        defects: The first line of each witness's docstring, which describes its defect.
        reasons: Why fuzzing seldom finds a witness, for witnesses with ``SELDOM``.
        planted: The lines of further sections.
    """
    lines = [
        "# Detection power of fuzzing",
        "",
        "Each of these plugins has one defect that the rules at fixed shapes do not see. The plugin breaks one rule of",
        "the family FUZ. The rule was judged with many seeds at the default budget ([fuzzing](fuzzing.md)), each time",
        "from an empty database. `python tools/detection_power.py` measures these columns:",
        "",
        "* *found*: how many of the seeds found the defect;",
        "* *examples*: the average number of examples up to the first failure, and the range for 90 of 100 seeds;",
        "* *shrunk to*: the most frequent smallest example of the first ten seeds;",
        "* *numbers* and *steps*: the size of this example.",
        "",
        *_totals(detection),
        "",
        "| witness | the defect | rule | found | examples | shrunk to | numbers | steps |",
        "|---|---|---|---|---|---|---|---|",
        *(_row(name, entry, defects[name]) for name, entry in ordered(detection)),
    ]
    seldom = [(name, reasons[name]) for name, _ in ordered(detection) if reasons.get(name)]
    if seldom:
        lines += ["", "## What is found less often, and why", ""]
        lines += [f"* `{name}`: {reason}" for name, reason in seldom]
    return "\n".join([*lines, *planted]) + "\n"


def ordered(detection):
    """Return the entries sorted by rule, and by name for each rule."""
    return sorted(detection.items(), key=lambda each: (each[1]["rule"], each[0]))


def _totals(detection):
    entries = list(detection.values())
    means = [entry["mean"] for entry in entries if entry["found"]]
    surely = sum(100 * entry["found"] >= 95 * entry["seeds"] for entry in entries)
    return [
        "| | |",
        "|---|---|",
        f"| witnesses | {len(entries)} |",
        f"| seeds for each | {', '.join(map(str, sorted({entry['seeds'] for entry in entries})))} |",
        f"| found with every seed | {sum(entry['found'] == entry['seeds'] for entry in entries)} |",
        f"| found with at least 95 of 100 seeds | {surely} |",
        f"| examples to the first failure, over all witnesses | {sum(means) / max(len(means), 1):.1f} |",
    ]


def _row(name, entry, defect):
    found = f"{entry['found']} of {entry['seeds']}"
    cells = [f"[`{name}`]({FAULTY}/{name}.py)", defect.replace("|", "\\|"), entry["rule"], found]
    if not entry["found"]:
        return f"| {' | '.join(cells)} | | | | |"
    low, high = entry["quantiles"]["5"], entry["quantiles"]["95"]
    shrunk = entry["shrunk"]
    small = f"`{shrunk['example']}` ({shrunk['times']} of {shrunk['of']})"
    cells += [
        f"{entry['mean']} ({low}-{high})",
        small.replace("|", "\\|"),
        str(shrunk["numbers"]),
        str(shrunk["steps"]),
    ]
    return f"| {' | '.join(cells)} |"
