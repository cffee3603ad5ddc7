"""What differs between NVIDIA's builder and the reference runtime, by network or fault, each with its reason."""

OPTIMUM_UNKNOWN = (
    "the optimum is -1 in further questions for the workspace: the greatest answer counts, so no plugin suffers"
)
REASONS = {
    "unknown_optima": OPTIMUM_UNKNOWN,
    "never_destroyed": "what was attached for the chosen combination is never destroyed: a leak of NVIDIA's builder",
    "beyond_the_limit": "format_combination_limit is not obeyed: TensorRT documents it",
    "fixed_extents": "a dimension that the profile fixes is shown as its value: a plugin has to take -1 as well",
    "bound_below_the_optimum": "a bound below its optimum is shown as it is: SHP-021 warns of it",
    "chw4_of_free_channels": "INT8 is asked for in CHW4 with unknown channels, against TensorRT's documents",
}
"""The rules of `comparison.SOMETIMES`."""

ATTACHED = ("unknown_optima", "never_destroyed")
CALLS = {
    "a dimension that the profile fixes": ("fixed_extents",),
    "a dimension that each of two profiles fixes": ("fixed_extents",),
    "an image of INT8 with free channels": ("chw4_of_free_channels",),
    "limit 1 of an image": ("beyond_the_limit",),
    "a size tensor": ATTACHED,
    "a size tensor of INT64": ATTACHED,
    "a size tensor and workspace": ATTACHED,
    "a size tensor between": ATTACHED,
    "an optimum above its bound": (*ATTACHED, "bound_below_the_optimum"),
    "an alias": ATTACHED,
    "an alias of a smaller output": ATTACHED,
    "an alias between operations": ATTACHED,
}
"""The networks in which calls differ, and in what."""

OUTCOMES = {
    "an unused plugin": ("dies", "plan", "an unused clone is freed twice: no plugin can avoid it"),
    "an alias of a larger output": ("plan", "no plan", "the end of the output would have no memory"),
    "a scalar shape input": ("parse fails", "plan", "nothing is known of TensorRT 10"),
    "a shape input with two dimensions": ("parse fails", "plan", "nothing is known of TensorRT 10"),
}
"""The networks that only one of both builds, or that kill NVIDIA's builder alone."""

EARLIER = {"an input left out": "the reference runtime refuses the node before it makes the plugin"}
"""The networks that neither builds, where one asks a plugin before it refuses."""

FAILING_FIELDS = ("plan", "no plan", "a plan without the fields could not be loaded")
LATE = ("no plan", "parse fails", "a question that fails while the model is parsed is noticed when it is built")
FAULTS = (
    {("one plugin", "get_output_data_types:raises@3"): LATE}
    | {
        ("one plugin", f"get_fields_to_serialize:{kind}"): FAILING_FIELDS
        for kind in ("raises", "none", "custom", "str", "int", "empty", "raises@3")
    }
    | {
        ("a size tensor", f"get_fields_to_serialize:{kind}"): FAILING_FIELDS
        for kind in ("raises", "none", "custom", "raises@2")
    }
)
"""The faults that end otherwise."""
