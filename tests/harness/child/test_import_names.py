"""The names ``tensorrt`` and ``cupy``: judged in processes of their own, where nothing was imported before."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[3]


def python(*arguments, path=()):
    """Run Python from the repository's root with more folders in front of the path; return what it did."""
    environment = {"PYTHONPATH": ":".join([*map(str, path), str(ROOT)]), "PATH": "/usr/bin:/bin"}
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def printed(code, *, path=()):
    done = python("-c", code, path=path)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


INSTALL = "from harness.child import import_names as namespace; namespace.install(cupy=True)\n"


def test_every_name_is_the_one_module_and_installing_twice_leaves_one_finder():
    assert printed(
        INSTALL * 2
        + "import tensorrt, tensorrt.tensorrt, reference_runtime, cupy.cuda.runtime, tensorrt_bindings.plugin\n"
        + "from cupy.cuda import memory\n"
        + "import reference_runtime.bridges.cupy.cuda as ours\n"
        + "print(tensorrt is tensorrt.tensorrt is tensorrt_bindings is reference_runtime)\n"
        + "print(cupy.cuda is ours, memory is ours.memory)\n"
        + "print(reference_runtime.__spec__.name, ours.__spec__.name)\n"
        + "import sys; print(sum('harness' in type(f).__module__ for f in sys.meta_path))"
    ) == ["True"] * 3 + ["reference_runtime", "reference_runtime.bridges.cupy.cuda", "1"]


def test_a_library_is_adapted_as_soon_as_it_is_imported(tmp_path):
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text("")
    (tmp_path / "numba" / "cuda.py").write_text("SELF = __name__\n")
    code = """
import os, sys, types
bridge = types.ModuleType("reference_runtime.bridges.numba")
bridge.adapt = lambda module: setattr(module, "adapted", module.SELF)
sys.modules["reference_runtime.bridges.numba"] = bridge
from numba import cuda
print(cuda.adapted, os.environ["NUMBA_ENABLE_CUDASIM"])
"""
    assert printed(INSTALL + code, path=[tmp_path]) == ["numba.cuda", "1"]


def test_cuda_python_is_found_by_its_new_names_and_its_old_ones_and_nothing_outside_the_table():
    names = ["cuda.core", "tensorrt.plugin.templates", "tensorrt.plugins", "tensorrt.registry", "cupy.arrays", "cupyx"]
    trial = "\ntry:\n    import {}\nexcept ModuleNotFoundError as error:\n    print(error.name)"
    assert printed(
        INSTALL
        + "from cuda import cuda, cudart, nvrtc\n"
        + "from cuda.bindings import driver, nvrtc as new, runtime\n"
        + "import cuda.bindings.driver\n"
        + "import reference_runtime.bridges.cuda_python.bindings.driver as ours\n"
        + "print(driver is ours, cudart is runtime, nvrtc is new, ours.__spec__.name)"
        + "".join(map(trial.format, names))
    ) == ["True", "True", "True", "reference_runtime.bridges.cuda_python.bindings.driver", *names]


@pytest.mark.parametrize(("level", "seen"), [("8.6", "missing"), ("11", "there")])
def test_decorated_plugins_came_after_8_6(level, seen):
    code = f"from reference_runtime import levels; levels.apply({level!r})\n{INSTALL}"
    code += "try:\n    import tensorrt.plugin\n    print('there')\nexcept ModuleNotFoundError:\n    print('missing')"
    assert printed(code) == [seen]


@pytest.fixture(name="real")
def a_folder_with_a_real_tensorrt(tmp_path):
    for name in ("tensorrt", "cupy"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("REAL = True\n")
        (tmp_path / name / "parsers.py").write_text("")
    return tmp_path


def test_ours_wins_over_an_installed_one_with_its_submodules_until_the_names_are_given_back(real):
    code = INSTALL + "import tensorrt, cupy; print(hasattr(tensorrt, 'REAL'), hasattr(cupy, 'REAL'))\n"
    code += "try:\n    import tensorrt.parsers\nexcept ImportError:\n    print('refused')\n"
    code += "namespace.uninstall(); import tensorrt; print(tensorrt.REAL)"
    assert printed(code, path=[real]) == ["False", "False", "refused", "True"]


def test_a_tensorrt_that_was_imported_before_is_complained_of(real):
    done = python("-c", "import tensorrt\n" + INSTALL, path=[real])
    assert done.returncode == 1
    assert f"tensorrt was imported from {real}/tensorrt/__init__.py before" in done.stderr


def test_cupy_stays_what_it_is_where_it_is_not_mapped(real):
    code = "from harness.child import import_names; import_names.install(cupy=False)\nimport cupy; print(cupy.REAL)"
    assert printed(code, path=[real]) == ["True"]


SCRIPT = """
import pickle, sys
import tensorrt as trt
class Local: pass
again = pickle.loads(pickle.dumps(Local()))
print(__name__, sys.argv[1:], sys.modules["__main__"].Local is Local, type(again) is Local)
import beside
"""


@pytest.fixture(name="script")
def a_script(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "beside.py").write_text("print('beside')")
    return tmp_path / "script.py"


def test_a_script_is_run_as_python_runs_it(script):
    done = python("-m", "harness.child.import_names", script, "one", "-m")
    assert done.stdout.splitlines() == ["__main__ ['one', '-m'] True True", "beside"], done.stderr


def test_a_module_is_run_as_python_runs_it(script):
    done = subprocess.run(
        [sys.executable, "-m", "harness.child.import_names", "-m", "script", "one"],
        cwd=script.parent, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.stdout.splitlines() == ["__main__ ['one'] True True", "beside"], done.stderr


def test_the_exit_status_is_the_scripts(tmp_path):
    (tmp_path / "leaves.py").write_text("raise SystemExit(7)")
    assert python("-m", "harness.child.import_names", tmp_path / "leaves.py").returncode == 7


def test_nothing_to_run_is_a_usage_error():
    done = python("-m", "harness.child.import_names")
    assert done.returncode == 1
    assert done.stderr.startswith("usage: ")


def test_a_script_runs_at_the_level_that_stands_before_it(tmp_path):
    script = tmp_path / "which.py"
    script.write_text("import sys, tensorrt; print(tensorrt.__version__, sys.argv[1:])")
    done = python("-m", "harness.child.import_names", "--level=11", script, "--level", "9")
    assert done.stdout == "11.4.0.106 ['--level', '9']\n", done.stderr


@pytest.mark.parametrize("level", [["--level", "9"], ["--level=9"]])
def test_a_level_that_there_is_not_ends_with_one_line(level):
    done = python("-m", "harness.child.import_names", *level, "which.py")
    assert (done.returncode, done.stderr) == (1, "--level: there is no API level '9'; choose from 8.6, 10, 11\n")


def test_a_level_without_a_program_is_a_wrong_call():
    assert python("-m", "harness.child.import_names", "--level", "11").stderr.startswith(
        "usage: python -m harness.child.import_names"
    )
