"""Write a library of plugins that are generated from a seed: interfaces, operations, ranks and inputs differ.

    python benchmarks/scale/library.py FOLDER [--plugins 200] [--seed 0] [--layout package|modules]

A package has all plugins; with ``modules`` each plugin is a separate module.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
import random
import string

HERE = pathlib.Path(__file__).parent
#: The name of the package of a library.
PACKAGE = "library"
TYPES = ("float32", "float16")


@dataclasses.dataclass(frozen=True)
class Operation:
    """The computation of a plugin.

    Attributes:
        word: The beginning of the plugin's name.
        what: The computation in words.
        inputs: The number of inputs.
        compute: The computation with CuPy, from ``x`` into ``y``.
        expected: The result with NumPy, for comparison.
    """

    word: str
    what: str
    inputs: int
    compute: str
    expected: str


OPERATIONS = (
    Operation("Scale", "factor * x", 1, "cp.multiply(x[0], factor, out=y)", "x[0] * factor"),
    Operation("Shift", "x + factor", 1, "cp.add(x[0], factor, out=y)", "x[0] + factor"),
    Operation("Floor", "max(x, factor)", 1, "cp.maximum(x[0], factor, out=y)", "np.maximum(x[0], factor)"),
    Operation("Ceil", "min(x, factor)", 1, "cp.minimum(x[0], factor, out=y)", "np.minimum(x[0], factor)"),
    Operation("Sum", "the sum of two inputs", 2, "cp.add(x[0], x[1], out=y)", "x[0] + x[1]"),
    Operation("Product", "the product of two inputs", 2, "cp.multiply(x[0], x[1], out=y)", "x[0] * x[1]"),
    Operation("Larger", "the larger of two inputs", 2, "cp.maximum(x[0], x[1], out=y)", "np.maximum(x[0], x[1])"),
)


@dataclasses.dataclass(frozen=True)
class Plugin:
    """One generated plugin: the name of its module, the name of the plugin, and the source with its cases."""

    module: str
    name: str
    source: str


def plugins(count: int, seed: int = 0) -> list[Plugin]:
    """Return ``count`` different plugins; a longer library begins with the plugins of a shorter library."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    return [_plugin(number, chance) for number in range(count)]


def _plugin(number: int, chance: random.Random) -> Plugin:
    operation = chance.choice(OPERATIONS)
    interface = chance.choice(("v2", "v3"))
    factor = chance.randrange(1, 16) / 4
    name = f"{operation.word}{number:03}"
    values = {
        "name": name,
        "what": operation.what,
        "compute": operation.compute,
        "expected": operation.expected,
        "default": factor + 1,
        "factor": factor,
        "case": chance.choice(("dynamic", "images", "rows")),
        "inputs": ", ".join([repr(_input(chance))] * operation.inputs),
        "arguments": ", ".join(f"x{index}" for index in range(operation.inputs)),
    }
    text = (HERE / f"plugin_{interface}.txt").read_text() + (HERE / "cases.txt").read_text()
    return Plugin(f"plugin_{number:03}", name, string.Template(text).substitute(values))


def _input(chance: random.Random) -> dict[str, object]:
    """Return an input of a random rank; its dimensions are fixed or dynamic, and dynamic dimensions may be 0."""
    dims, least, usual, most = [], [], [], []
    for axis in range(chance.randrange(1, 5)):
        dynamic = axis == 0 or chance.random() < 1 / 2
        varying = chance.choice((0, 1)), chance.randrange(1, 4), chance.randrange(4, 9)
        low, opt, high = varying if dynamic else (3, 3, 3)
        dims.append(f"d{axis}" if dynamic else low)
        least.append(low)
        usual.append(opt)
        most.append(high)
    bounds = {"min": tuple(least), "opt": tuple(usual), "max": tuple(most)}
    return {"dims": tuple(dims), **bounds, "types": TYPES}


def write(folder: pathlib.Path, library: list[Plugin], *, as_package: bool) -> list[str]:
    """Write a library into a folder; return the modules to certify."""
    target = folder / PACKAGE if as_package else folder
    target.mkdir(parents=True, exist_ok=True)
    for plugin in library:
        (target / f"{plugin.module}.py").write_text(plugin.source)
    if not as_package:
        return [plugin.module for plugin in library]
    imports = ", ".join(plugin.module for plugin in library)
    (target / "__init__.py").write_text(f"from {PACKAGE} import {imports}\n")
    return [PACKAGE]


def main() -> None:
    """Write a library into the folder on the command line, and print the modules to certify."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--plugins", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--layout", choices=("package", "modules"), default="package")
    options = parser.parse_args()
    modules = write(options.folder, plugins(options.plugins, options.seed), as_package=options.layout == "package")
    print(*modules)


if __name__ == "__main__":
    main()
