"""What came of a network on both builders, made comparable: what differs everywhere, and what differs as expected.

A call is compared with those on the same object, in their order. Objects are independent: the builders may ask one
before or after the other.
"""

import contextlib
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
LIBRARY = "libtensorrt_rtx.so"
GENUINE = [sys.executable, str(HERE / "program.py"), "genuine"]
OURS = [sys.executable, "-m", "harness.child.import_names", "--level=11", str(HERE / "program.py"), "ours"]
QUESTIONS = ("get_output_data_types", "get_output_shapes", "get_aliased_input")


@contextlib.contextmanager
def surroundings():
    """Yield the environment of NVIDIA's builder: its parser loads a library by a name that the wheel does not have."""
    with tempfile.TemporaryDirectory() as folder:
        (home,) = importlib.util.find_spec("tensorrt_rtx_libs").submodule_search_locations
        pathlib.Path(folder, LIBRARY).symlink_to(pathlib.Path(home, f"{LIBRARY}.1"))
        path = os.pathsep.join(filter(None, (folder, os.environ.get("LD_LIBRARY_PATH"))))
        yield {**os.environ, "LD_LIBRARY_PATH": path, "PYTHONPATH": os.pathsep.join([str(HERE), str(ROOT)])}


def outcomes(command, items, environment):
    """Return what came of each item: one process does as many as it survives, and the next goes on."""
    found = {}
    while len(found) < len(items):
        left = [(number, *item) for number, item in enumerate(items) if number not in found]
        done = subprocess.run(  # noqa: S603 - a program of ours
            command, input=json.dumps(left), env=environment, capture_output=True, text=True, check=False, timeout=600
        )
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        found.update({line["item"]: line for line in lines if "outcome" in line})
        if done.returncode:
            last = lines[-1] if lines else {"item": left[0][0], "at": "its start", "events": []}
            if done.returncode > 0:
                raise RuntimeError(done.stderr)
            found[last["item"]] = {**last, "outcome": died(last), "errors": [done.stderr[-300:]]}
    return [found[number] for number in range(len(items))]


def died(last):
    """Return where a process died: what was built may be freed twice, and kill it at its end."""
    return f"dies in {last['at']}" if "at" in last and "outcome" not in last else "dies after its end"


# -- what differs everywhere -----------------------------------------------------------------------------------


def by_object(events):
    """Return the calls on each object."""
    found = {}
    for event in events:
        found.setdefault(event["who"], []).append({key: event.get(key) for key in ("call", "args", "result")})
    return found


def without_identity(calls):
    """Leave out how often a plugin is asked for capabilities: NVIDIA's builder asks before each use, ours by seed."""
    return [call for call in calls if call["call"] != "get_capability_interface"]


def asked_once(calls):
    """Leave out repeated questions for types, shapes and aliases, and repetitions of a call: seeds repeat them too."""
    kept = []
    for call in calls:
        again = call in kept if call["call"] in QUESTIONS else kept[-1:] == [call]
        if not again:
            kept.append(call)
    return kept


def head_only(calls):
    """Leave out the tensors after ``pos``: their dimensions are there in NVIDIA's builder, and no document says so."""
    for call in calls:
        if call["call"] == "supports_format_combination":
            pos, in_out, count = call["args"]
            call["args"] = [pos, in_out[: pos + 1], count]
    return calls


def without_scale(value):
    """Leave out scales: 0 or 1 in NVIDIA's builder, -1 here; no document says what they are without calibration."""
    if isinstance(value, dict):
        return {key: without_scale(each) for key, each in value.items() if key != "scale"}
    return [without_scale(each) for each in value] if isinstance(value, list) else value


EVERYWHERE = (without_identity, asked_once, head_only, without_scale, asked_once)


# -- what differs in some networks; `expected` has the reasons ---------------------------------------------------


def unknown_optima(calls):
    """Leave out questions for the workspace with an optimum of -1."""
    return [call for call in calls if call["call"] != "get_workspace_size" or -1 not in _optima(call["args"])]


def _optima(args):
    return [extent for side in args for tensor in side for extent in tensor["opt"]]


def never_destroyed(calls):
    """Leave out ``destroy``."""
    return [call for call in calls if call["call"] != "destroy"]


def beyond_the_limit(calls):
    """Leave out what is asked for each combination."""
    unlimited = ("supports_format_combination", "configure_plugin", "get_workspace_size", "get_valid_tactics")
    return [call for call in calls if call["call"] not in unlimited]


def fixed_extents(value):
    """Leave out the dimensions of shapes and descriptions, but not their bounds."""
    if isinstance(value, dict):
        hidden = {"dims"} | ({"args", "result"} if value.get("call") == "get_output_shapes" else set())
        return {key: fixed_extents(each) for key, each in value.items() if key not in hidden}
    return [fixed_extents(each) for each in value] if isinstance(value, list) else value


def bound_below_the_optimum(value):
    """Leave out bounds."""
    if isinstance(value, dict):
        return {key: bound_below_the_optimum(each) for key, each in value.items() if key != "max"}
    return [bound_below_the_optimum(each) for each in value] if isinstance(value, list) else value


def chw4_of_free_channels(calls):
    """Leave out calls with a tensor in CHW4, and questions for tactics, which name no format."""
    return [call for call in calls if call["call"] != "get_valid_tactics" and "CHW4" not in json.dumps(call["args"])]


SOMETIMES = {
    rule.__name__: rule
    for rule in (
        unknown_optima,
        never_destroyed,
        beyond_the_limit,
        fixed_extents,
        bound_below_the_optimum,
        chw4_of_free_channels,
    )
}


def comparable(outcome, allowed=()):
    """Return what came of a network and the calls on each object, without what may differ."""
    if outcome["outcome"].startswith("dies"):
        return {"outcome": "dies"}  # the last calls are lost with the process, and where it dies depends on its memory
    calls = by_object(outcome["events"])
    for rule in (*EVERYWHERE, *(SOMETIMES[name] for name in allowed)):
        calls = {who: rule(each) for who, each in calls.items()}
    return {"outcome": outcome["outcome"], **{who: each for who, each in calls.items() if each}}


def differing(genuine, ours, allowed=()):
    """Return what still differs: the objects, and the first call that does."""
    one, other = comparable(genuine, allowed), comparable(ours, allowed)
    found = {}
    for who in sorted({*one, *other}):
        mine, its = one.get(who, []), other.get(who, [])
        if mine != its:
            found[who] = (mine, its) if who == "outcome" else _first(mine, its)
    return found


def _first(mine, its):
    for place in range(max(len(mine), len(its))):
        pair = [side[place] if place < len(side) else None for side in (mine, its)]
        if pair[0] != pair[1]:
            return place, *pair
    return None
