"""Cases for the addition in place: dimensions that change, and fixed ones."""


def in_place_add(x, *, fields):
    return x + x.dtype.type(fields["addend"])


PLUGIN_CASES = [
    {
        "plugin": "in_place_add",
        "namespace": "example",
        "name": "rows",
        "fields": {"addend": 1.5},
        "inputs": [
            {"dims": ("N", 5), "min": (0, 5), "opt": (2, 5), "max": (40, 5), "types": ("float32", "float16")},
        ],
        "reference": in_place_add,
    },
    {
        "plugin": "in_place_add",
        "namespace": "example",
        "name": "fixed",
        "fields": {"addend": -2.0},
        "inputs": [{"dims": (2, 5)}],
        "reference": in_place_add,
    },
]
