#!/usr/bin/env python3
"""Plant defects into the correct examples, judge each, and write tests/data/mutations.json.

python tools/mutate.py [NAME ...] [--jobs N] [--missing] [--minutes M] [--limit N] [--seed N] [--operator NAME]
                       [--device WHERE] [--until WHEN] [--out FILE]

NAME is an example: bar, leaky_relu_v3. Without a name, all examples that can be imported here are mutated. That needs
many cores: it gives about three thousand mutants, and each takes some seconds.

Each mutant is judged first by the rules that are named for its defect. If none of them detects it, all other rules
judge it. With --until broken, judging ends at the first rule that detects it.

Each result is saved when it is known, and results of other mutants stay. With --missing only mutants without a result
are judged: so a run continues a run that --minutes ended. Mutants of all examples are judged in mixed order. So the
results of an ended run are a sample of all mutants. The site's page about detection has them.
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

from harness.config.options import DeviceChoice, Options  # noqa: E402 - needs sys.path
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
#: Folders of faulty plugins, of near misses, and of applications, which are no plugins.
_LEFT_OUT = {"faulty", "near_misses", "apps"}
#: The fields of an outcome that are saved.
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
    by_name = {}
    for name in names:
        campaign = Campaign.of(str(examples()[name]), options, until)
        mutants = campaign.planted(operators).mutants
        if mutants:
            by_name[name] = (campaign, mutants)
    return by_name


def entry(seen, outcomes, planted, earlier=None):
    """Return the entry of one example in the file.

    Args:
        seen: The result of the original.
        outcomes: The outcomes of this run.
        planted: The number of all mutants of the example.
        earlier: The saved results of earlier runs, by mutant; those of other mutants stay.
    """
    mutants = {**(earlier or {})}
    for outcome in outcomes:
        plain = outcome.to_plain()
        kept = {name: plain[name] for name in _KEPT if plain[name]}
        if outcome.fate.value != "noticed":
            kept["diff"] = plain["diff"]
        mutants[outcome.mutant.id] = kept
    interfaces = sorted({case.interface for case in seen.cases})
    return {"interfaces": interfaces, "planted": planted, "mutants": dict(sorted(mutants.items()))}


def merged(saved, outcomes, originals, planted):
    """Return the saved results of earlier runs with those of this run, by example."""
    fresh = {
        name: entry(originals[name], kept, planted[name], saved.get(name, {}).get("mutants"))
        for name, kept in outcomes.items()
    }
    return {**saved, **fresh}


def load(file=FILE):
    """Return the results of earlier runs."""
    return json.loads(file.read_text()) if file.exists() else {}


def kept_of(saved):
    """Return the saved results of operators and examples that still exist."""
    return {
        name: {
            **entry,
            "mutants": {key: kept for key, kept in entry["mutants"].items() if key.split(":")[1] in OPERATORS},
        }
        for name, entry in saved.items()
        if name in examples()
    }


def write(results, file=FILE):
    """Write the results, with one line for each mutant."""
    lines = ["{"]
    for name, kept in sorted(results.items()):
        facts = ", ".join(f'"{fact}": {json.dumps(kept[fact])}' for fact in ("interfaces", "planted"))
        lines.append(f' "{name}": {{{facts}, "mutants": {{')
        lines.append(",\n".join(f'  "{key}": {json.dumps(value)}' for key, value in kept["mutants"].items()))
        lines.append(" }},")
    lines[-1] = lines[-1].rstrip(",")
    file.write_text("\n".join([*lines, "}"]) + "\n")


def judged(chosen_campaigns, jobs, deadline):
    """Yield ``(name, original, outcome)`` for each mutant when it is judged, until the deadline."""
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
    """Return the outcome of a mutant, or None if the deadline came before it was known."""
    hurried = structs.replace(campaign.trial, patience=min(campaign.trial.patience, deadline.left))
    outcome = structs.replace(campaign, trial=hurried).judge(original, {})(mutant)
    return None if outcome.fate is Fate.UNDECIDED and deadline.left <= 0 else outcome


def main():
    """Judge the mutants that the command line selects, and write the file."""
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
    saved = kept_of(load(options.out))
    known = {key for entry in saved.values() if options.missing for key in entry["mutants"]}
    selected, planted = {}, {}
    for name, (campaign, mutants) in campaigns(
        options.names or list(examples()), chosen(options.operator), run, until
    ).items():
        planted[name] = len(mutants)
        left = [mutant for mutant in sampled(mutants, options.limit, options.seed) if mutant.id not in known]
        if left:
            selected[name] = (campaign, left)
    total = sum(len(mutants) for _, mutants in selected.values())
    outcomes, originals = {}, {}
    for number, (name, seen, outcome) in enumerate(judged(selected, options.jobs, deadline), 1):
        why = ", ".join(outcome.rules) or outcome.note or outcome.likeness.value
        print(f"{number}/{total} {outcome.mutant.id}: {outcome.fate.value}: {why}", flush=True)
        outcomes.setdefault(name, []).append(outcome)
        originals[name] = seen
        if number % 10 == 0:
            write(merged(saved, outcomes, originals, planted), options.out)
    write(merged(saved, outcomes, originals, planted), options.out)


if __name__ == "__main__":
    main()
