"""Write the section of contributing/detection.md about the first failure that a run shows for each witness."""

from tests.support import first_failures


def section(entries, planted):
    """Return the lines of the section, from tests/data/first_failures.json and the number of witnesses."""
    if not entries:
        return []
    named = [name for name, entry in entries.items() if first_failures.is_named(entry)]
    lines = [name for name, entry in entries.items() if first_failures.has_a_line(name, entry)]
    others = sorted(set(entries) - set(named))
    return [
        "",
        "## What a run shows first",
        "",
        "A witness has one defect, and names the rule that reports it. A run should show this rule first, with a line",
        "of the code, in nine lines or fewer. Measured by `python tools/first_failures.py`, on the host device:",
        "",
        "| | |",
        "|---|---|",
        f"| witnesses measured | {len(entries)} of {planted} |",
        f"| the rule of the witness is first | {_share(len(named), entries)} |",
        f"| the line is in the witness's file, not in its base class | {_share(len(lines), entries)} |",
        f"| nine lines or fewer | {_share(sum(map(first_failures.is_short, entries.values())), entries)} |",
        "",
        "For these witnesses another rule is first:",
        "",
        *(f"* `{name}`: {entries[name]['first'] or 'no rule'}, not {entries[name]['breaks']}" for name in others),
    ]


def _share(number, entries):
    return f"{number} ({100 * number / len(entries):.0f} of 100)"
