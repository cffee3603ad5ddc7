"""Write the tables of docs/what_happens_when.md from real traces, with the source of each call."""

import collections
import functools

from pages import call_trace

#: How sure a row is: documented by TensorRT, observed, seen in NVIDIA's samples, or inferred.
D, O, S, I = "documented", "observed", "sample", "inferred"  # noqa: E741 - the first letters of the words
R = f"{O} on TensorRT-RTX"
WHEN, COUNT, ORDER = f"{D}; the moment {I}", f"{D}; the number {I}", f"{D}; the order {I}"
EITHER = {
    ("network gone", "destroy"): ORDER,
    ("first", "enqueue"): D,
    ("again", "enqueue"): D,
    ("shape", "enqueue"): D,
    ("address", "enqueue"): D,
    ("second", "enqueue"): D,
    ("refitted", "enqueue"): D,
    ("built", "supports_format_combination"): f"{D}; the order of the combinations {I}",
    ("built", "configure_plugin"): D,
    ("built", "get_workspace_size"): COUNT,
    ("built", "enqueue"): COUNT,
    ("built", "destroy"): ORDER,
    ("built", "clone"): WHEN,
}
BASIS = {
    "v2": {
        **EITHER,
        ("added", "clone"): WHEN,
        ("added", "get_output_datatype"): WHEN,
        ("built", "get_output_dimensions"): COUNT,
        ("built", "initialize"): D,
        ("built", "terminate"): D,
        ("built", "get_serialization_size"): f"{D}; repeated: {O}",
        ("built", "serialize"): D,
        ("loaded", "deserialize_plugin"): D,
        ("loaded", "initialize"): D,
        ("context", "clone"): D,
        ("second context", "clone"): D,
        ("first", "configure_plugin"): O,
        ("second", "configure_plugin"): O,
        ("shape", "configure_plugin"): D,
        **{(step, "get_workspace_size"): COUNT for step in ("first", "shape", "second")},
        ("contexts gone", "destroy"): I,
        ("engine gone", "terminate"): ORDER,
        ("engine gone", "destroy"): ORDER,
    },
    "v3": {
        **EITHER,
        ("added", "clone"): R,
        ("added", "get_capability_interface"): f"{D}; the moment {R}",
        ("added", "get_output_data_types"): f"{D}; the moment {R}",
        ("built", "clone"): R,
        ("built", "get_capability_interface"): f"{D}; the moment {R}",
        ("built", "get_output_data_types"): ORDER,
        ("built", "get_output_shapes"): f"{D}; the order {R}",
        ("built", "get_workspace_size"): f"{D}; the number {R}",
        ("built", "supports_format_combination"): f"{D}; the order of the combinations {R}",
        ("built", "destroy"): f"{D}; the order {R}",
        ("built", "get_valid_tactics"): f"{D}; once for each configuration: {O}",
        ("built", "attach_to_context"): R,
        ("built", "set_tactic"): D,
        ("built", "on_shape_change"): D,
        ("built", "get_fields_to_serialize"): f"{D}; repeated: {R}",
        ("loaded", "create_plugin"): D,
        ("loaded", "get_capability_interface"): D,
        ("contexts gone", "destroy"): WHEN,
        ("engine gone", "destroy"): D,
        ("shape", "on_shape_change"): D,
        ("address", "on_shape_change"): D,
        **{(step, "attach_to_context"): D for step in ("context", "second context")},
        **{(step, "get_capability_interface"): WHEN for step in ("context", "second context")},
        **{(step, "on_shape_change"): O for step in ("first", "second")},
        **{(step, "set_tactic"): f"{D}; before the shape: {S}" for step in ("first", "second")},
        **{(step, "set_tactic"): WHEN for step in ("context", "second context")},
        **{(step, "set_tactic"): I for step in ("shape", "address")},
    },
}


@functools.cache
def traces(kind, profiles):
    """Return the steps of the application, with each seed."""
    return [call_trace.run(kind, profiles, seed) for seed in call_trace.SEEDS]


def table(kind):
    """Return the table of one interface."""
    lines = ["| object | call | one profile | two profiles | with other seeds | |", "|---|---|---|---|---|---|"]
    for number, step in enumerate(traces(kind, 1)[0]):
        lines.append(f"| **{step.title.partition(',')[0] if number == 1 else step.title}** | | | | | |")
        rows = list(_rows(kind, number, step.name))
        lines += rows or ["| | no call | | | | |"]
    return "\n".join(lines)


def _rows(kind, number, name):
    counts = {profiles: [_counted(steps[number]) for steps in traces(kind, profiles)] for profiles in (1, 2)}
    for call in dict.fromkeys(call for each in (*counts[1], *counts[2]) for call in each):
        one, two = ([count[call] for count in counts[profiles]] for profiles in (1, 2))
        least, most = min(one + two), max(one + two)
        varies = len(set(one)) > 1 or len(set(two)) > 1
        spread = f"{least} to {most}" if varies else ""
        basis = BASIS[kind][name, call[1]]
        yield f"| {call[0]} | `{call[1]}` | {one[0] or ''} | {two[0] or ''} | {spread} | {basis} |"


def _counted(step):
    return collections.Counter((made.role, made.method) for made in step.calls)
