"""The plugin that launches a kernel, with a function that stands in for it, and without one."""


def scale_kernel(_launch, x, y, factor, count):
    y[:count] = x[:count] * factor


CASE = {
    "plugin": "Launcher",
    "inputs": [{"dims": ("N", 4), "min": (1, 4), "opt": (3, 4), "max": (6, 4), "types": ("float32",)}],
    "reference": lambda x, **_: x * x.dtype.type(2.5),
}
PLUGIN_CASES = [
    {**CASE, "name": "with", "stand_ins": {"scaleKernel": scale_kernel}},
    {**CASE, "name": "without"},
]
