"""Write the tables of docs/lifecycles.md from those that the reference runtime obeys."""

from reference_runtime.calling.lifecycle.implicit_batch import ATTACHED_V2, SHARED_V2
from reference_runtime.calling.lifecycle.quick import QUICK
from reference_runtime.calling.lifecycle.table import V2, Stage
from reference_runtime.calling.lifecycle.v3 import V3

TABLES = {
    "IPluginV2DynamicExt": V2,
    "IPluginV3": V3,
    "decorated": QUICK,
    "IPluginV2": SHARED_V2,
    "IPluginV2Ext": ATTACHED_V2,
}


def table(life):
    """Return the table of one interface: a row for each stage, then the calls that change no stage."""
    living = [stage for stage in life.next if stage is not Stage.DESTROYED]
    lines = ["| stage | calls that change it | calls that keep it | new objects |", "|---|---|---|---|"]
    lines += [
        f"| *{stage.value}* | {_changes(life, stage)} | {_kept(life, stage)} | {_born(life, stage)} |"
        for stage in living
    ]
    first = [f"`{call.value}` → *{born[None].value}*" for call, born in life.born.items() if None in born]
    lines += ["", f"Creators make the first objects: {', '.join(first)}.", ""]
    where = {}
    for call in life.queries:
        where.setdefault(tuple(stage for stage in living if call in life.next[stage]), []).append(f"`{call.value}`")
    for stages, calls in where.items():
        when = "any stage" if list(stages) == living else ", ".join(f"*{stage.value}*" for stage in stages)
        lines.append(f"* Legal in {when}: {', '.join(calls)}.")
    return "\n".join(lines)


def _changes(life, stage):
    return _arrows({call: after for call, after in life.next[stage].items() if after is not stage})


def _born(life, stage):
    return _arrows({call: born[stage] for call, born in life.born.items() if stage in born})


def _arrows(calls):
    return "<br>".join(f"`{call.value}` → *{after.value}*" for call, after in calls.items())


def _kept(life, stage):
    stays = [call for call, after in life.next[stage].items() if after is stage and call not in life.queries]
    return ", ".join(f"`{call.value}`" for call in stays)
