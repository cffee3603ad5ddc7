#!/usr/bin/env python3
"""Plant defects into the correct examples, judge each, and write tests/data/mutations.json.

python tools/mutate.py [NAME ...] [--jobs N] [--missing] [--minutes M] [--limit N] [--seed N] [--operator NAME]
                       [--device WHERE] [--until WHEN] [--out FILE]

A name is that of an example: bar, leaky_relu_v3. Without a name, all are mutated that can be imported here. That needs
many cores: about three thousand mutants, each judged for some seconds. The rules that are named for the defect judge
first. If none of them detects it, all others do. With --until broken they do so only up to the first that detects it.
Results are saved as they come, and results of other mutants stay. With --missing only mutants without a result are
judged: a run that --minutes ended goes on where it stopped.
Mutants of all examples come in mixed order. What a run has judged when it ends is a sample of all of them. Then run
tools/generate_pages.py: docs/contributing/detection.md is made from the file.
"""

import argparse
import functools
import hashlib
import json
import os
import pathlib
import sys

from msgspec import structs

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # tools are not an installed package

from harness.config.options import DeviceChoice, Options  # noqa: E402 - after the line before
from harness.contract.thoroughness import Thoroughness  # noqa: E402 - as above
from harness.frontends.cli.mutate import chosen  # noqa: E402 - as above
from harness.mutation.campaign import Campaign  # noqa: E402 - as above
from harness.mutation.mutant import sampled  # noqa: E402 - as above
from harness.mutation.operators.catalogue import OPERATORS  # noqa: E402 - as above
from harness.mutation.outcome import Fate  # noqa: E402 - as above
from harness.mutation.trial import Until  # noqa: E402 - as above
from tools.deadline import Deadline, in_processes  # noqa: E402 - as above

FILE = ROOT / "tests" / "data" / "mutations.json"
EXAMPLES = ROOT / "plugin_examples"
#: Folders of plugins that are not correct, look incorrect, or are no plugins.
_LEFT_OUT = {"faulty", "near_misses", "apps"}
#: The saved part of an outcome.
_KEPT = ("line", "fate", "rules", "likeness", "difference", "note")


def examples():
    """Return the files of the correct examples, by name."""
    files = sorted(EXAMPLES.rglob("*.py"))
    return {
        file.stem: file
        for file in files
        if file.stem != "__init__"
        and not file.stem.endswith("_cases")
        and not _LEFT_OUT & {*file.relative_to(EXAMPLES).parts}
    }


def campaigns(names, operators, options, until=Until.NAMED):
    """Return the campaign and the mutants of each example into which a defect can be planted."""
    found = {}
    for name in names:
        campaign = Campaign.of(str(examples()[name]), options, until)
        mutants = campaign.planted(operators).mutants
        if mutants:
            found[name] = (campaign, mutants)
    return found


def entry(seen, outcomes, planted, earlier=None):
    """Return the saved results of one example: of how many mutants, fresh ones, and earlier ones of other mutants."""
    mutants = {**(earlier or {})}
    for outcome in outcomes:
        plain = outcome.to_plain()
        kept = {name: plain[name] for name in _KEPT if plain[name]}
        if outcome.fate.value != "noticed":
            kept["diff"] = plain["diff"]
        mutants[outcome.mutant.id] = kept
    interfaces = sorted({case.interface for case in seen.cases})
    return {"interfaces": interfaces, "planted": planted, "mutants": dict(sorted(mutants.items()))}


def merged(found, outcomes, originals, planted):
    """Return the results of earlier runs with those of this run, by example."""
    fresh = {
        name: entry(originals[name], kept, planted[name], found.get(name, {}).get("mutants"))
        for name, kept in outcomes.items()
    }
    return {**found, **fresh}


def load(file=FILE):
    """Return the results of earlier runs."""
    return json.loads(file.read_text()) if file.exists() else {}


def kept_of(found):
    """Return the earlier results of operators and examples that still exist."""
    return {
        name: {
            **entry,
            "mutants": {key: kept for key, kept in entry["mutants"].items() if key.split(":")[1] in OPERATORS},
        }
        for name, entry in found.items()
        if name in examples()
    }


def write(found, file=FILE):
    """Write the results, one mutant a line."""
    lines = ["{"]
    for name, kept in sorted(found.items()):
        facts = ", ".join(f'"{fact}": {json.dumps(kept[fact])}' for fact in ("interfaces", "planted"))
        lines.append(f' "{name}": {{{facts}, "mutants": {{')
        lines.append(",\n".join(f'  "{key}": {json.dumps(value)}' for key, value in kept["mutants"].items()))
        lines.append(" }},")
    lines[-1] = lines[-1].rstrip(",")
    file.write_text("\n".join([*lines, "}"]) + "\n")


def judged(chosen_campaigns, jobs, deadline):
    """Yield ``(name, original, outcome)`` of each mutant that is judged before the deadline, as it is judged."""
    campaigns = {name: campaign for name, (campaign, _) in chosen_campaigns.items()}
    seen = dict(in_processes(functools.partial(_original, campaigns), campaigns, jobs, deadline))
    for name in sorted(seen):
        if not seen[name].cases:
            print(f"{name} cannot be imported here, and gets no defects", flush=True)
    pieces = [
        (name, mutant)
        for name, (_, mutants) in chosen_campaigns.items()
        for mutant in mutants
        if name in seen and seen[name].cases
    ]
    pieces.sort(key=lambda piece: hashlib.sha256(piece[1].id.encode()).digest())
    work = functools.partial(_outcome, campaigns, seen, deadline)
    for (name, _), outcome in in_processes(work, pieces, jobs, deadline):
        yield name, seen[name], outcome


def _original(campaigns, name):
    return campaigns[name].sound_original()


def _outcome(campaigns, seen, deadline, piece):
    name, mutant = piece
    return outcome_before(deadline, campaigns[name], seen[name], mutant)


def outcome_before(deadline, campaign, original, mutant):
    """Return what became of a mutant, or None if the deadline came before that was known."""
    hurried = structs.replace(campaign.trial, patience=min(campaign.trial.patience, deadline.left))
    outcome = structs.replace(campaign, trial=hurried).judge(original, {})(mutant)
    return None if outcome.fate is Fate.UNDECIDED and deadline.left <= 0 else outcome


def main():
    """Judge what was asked for, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these examples, without their package")
    parser.add_argument("--operator", action="append", default=[], help="only this kind of defect; repeatable")
    parser.add_argument("--limit", type=int, help="a sample of so many mutants of each example")
    parser.add_argument("--seed", type=int, default=0, help="which sample (0)")
    parser.add_argument("--level", choices=[each.value for each in Thoroughness], default="5", help="the level (5)")
    parser.add_argument("--missing", action="store_true", help="only mutants that the file does not have yet")
    parser.add_argument(
        "--until",
        choices=[each.name.lower() for each in Until],
        default="named",
        help="judge each up to: " + "; ".join(f"{each.name.lower()}: {each.value}" for each in Until),
    )
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time (2)")
    parser.add_argument("--minutes", type=float, help="end after this time; --missing goes on from there")
    parser.add_argument(
        "--device", choices=[each.value for each in DeviceChoice], default="host", help="where kernels run (host)"
    )
    parser.add_argument("--out", type=pathlib.Path, default=FILE, help="where to write it")
    options = parser.parse_args()
    if unknown := {*options.names} - {*examples()}:
        parser.error(f"there is no example named {', '.join(sorted(unknown))}")
    os.chdir(ROOT)
    run = Options(level=Thoroughness(options.level), device=DeviceChoice(options.device))
    deadline = Deadline(options.minutes)
    until = Until[options.until.upper()]
    found = kept_of(load(options.out))
    known = {key for entry in found.values() if options.missing for key in entry["mutants"]}
    wanted, planted = {}, {}
    for name, (campaign, mutants) in campaigns(
        options.names or list(examples()), chosen(options.operator), run, until
    ).items():
        planted[name] = len(mutants)
        left = [mutant for mutant in sampled(mutants, options.limit, options.seed) if mutant.id not in known]
        if left:
            wanted[name] = (campaign, left)
    total = sum(len(mutants) for _, mutants in wanted.values())
    outcomes, originals = {}, {}
    for number, (name, seen, outcome) in enumerate(judged(wanted, options.jobs, deadline), 1):
        told = ", ".join(outcome.rules) or outcome.note or outcome.likeness.value
        print(f"{number}/{total} {outcome.mutant.id}: {outcome.fate.value}: {told}", flush=True)
        outcomes.setdefault(name, []).append(outcome)
        originals[name] = seen
        if number % 10 == 0:
            write(merged(found, outcomes, originals, planted), options.out)
    write(merged(found, outcomes, originals, planted), options.out)


if __name__ == "__main__":
    main()
