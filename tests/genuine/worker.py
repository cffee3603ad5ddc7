"""One side of the comparison: a process that runs programs on one ``tensorrt`` and says what came of each.

Run as ``python worker.py tensorrt_lean FD`` for the genuine bindings, and through ``harness.child.import_names`` with
``tensorrt`` for ours. Each line on standard input is a request, each line on file descriptor FD its outcomes. Every
program runs in a fork, so that none sees what another left behind, and a crash is an outcome like any other. A program
is a function ``folder.file.name`` below this folder; with ``arguments`` it is called with them. One that yields pairs
(name, function) is a battery: each function is an item with an outcome of its own, and a crash ends that item only.
"""

import importlib
import io
import json
import os
import re
import signal
import sys
import tempfile
import traceback
import types
import warnings

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - the forks start quicker without pathlib
SECONDS = 600  # only what hangs takes as long
#: CPython shows 50 characters of a class in these messages, and the genuine package's own name takes 37 of them.
CUT_NAME = re.compile(r"('tensorrt\.tensorrt\.)(\w{13})\w*'( object)? (?=has no attribute|object has no attribute)")


def main(module, answers):
    """Answer requests until standard input ends."""
    genuine = importlib.import_module(module)
    sys.modules["tensorrt"] = genuine
    sys.path.insert(0, HERE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for line in sys.stdin:
        request = json.loads(line)
        outcome = {}
        while "ended" not in outcome:
            outcome = in_a_fork(request, outcome)
        print(json.dumps(outcome["items"]), file=answers, flush=True)


def in_a_fork(request, before):
    """Run a program in a fork, after the items of it that were run before; return what is known then."""
    items, done, current = dict(before.get("items", {})), before.get("done", 0), None
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        run_and_exit(request, os.fdopen(writer, "w"), done)
    os.close(writer)
    with os.fdopen(reader) as lines:
        for line in lines:
            name, outcome = json.loads(line)
            current = name if outcome is None else None
            if outcome is not None:
                items[name], done = outcome, done + 1
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status) and current is not None:
        items[current] = {"signal": signal.Signals(os.WTERMSIG(status)).name}
        return {"items": items, "done": done + 1}
    if status:
        items["at the end"] = {"signal": f"exit status {status}"}
    return {"items": items, "ended": True}


def run_and_exit(request, answers, skip):
    """Run the items of a program from number ``skip`` on, and leave the process at once."""
    status = 1
    try:
        signal.alarm(SECONDS)
        for number, (name, item) in enumerate(items_of(request)):
            if number >= skip:
                tell(answers, name, None)
                tell(answers, name, outcome_of(item))
        status = 0
    except BaseException:  # noqa: BLE001 - whatever it is, it is told, and the fork must not go on
        tell(answers, "at the start", {"raises": ["a mistake of the program"], "message": traceback.format_exc()})
    finally:
        answers.flush()
        os._exit(status)


def tell(answers, name, outcome):
    """Write one line at once: the next item may crash."""
    answers.write(json.dumps([name, outcome]) + "\n")
    answers.flush()


def items_of(request):
    """Return the program's items: one, unless it is a battery."""
    if "code" in request:
        return [("result", lambda: executed(request["code"]))]
    module, _, name = request["program"].rpartition(".")
    function = getattr(importlib.import_module(module), name)
    if function.__code__.co_flags & 0x20:  # a generator
        return function(*request.get("arguments", ()))
    return [("result", lambda: function(*request.get("arguments", ())))]


def executed(code):
    """Run statements that assign ``result``."""
    scope = {"trt": sys.modules["tensorrt"], "np": np, "__name__": "case"}
    exec(compile(code, "<case>", "exec"), scope)  # noqa: S102 - cases are measured as code
    return scope["result"]


def outcome_of(item):
    """Return what came of an item: result or exception, text on file descriptor 2, warnings."""
    with tempfile.TemporaryFile() as file, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        sys.stderr.flush()
        os.dup2(file.fileno(), 2)
        try:
            outcome = {"result": plain(item())}
        except BaseException as error:  # noqa: BLE001 - the class of any exception is what is compared
            names = [cls.__name__ for cls in type(error).__mro__ if not cls.__module__.startswith("reference_")]
            crash = any(cls.__name__ == "NativeCrash" for cls in type(error).__mro__)
            outcome = {"signal": "NativeCrash"} if crash else {"raises": names, "message": neutral(str(error))}
        sys.stderr.flush()
        file.seek(0)
        text = neutral(io.TextIOWrapper(file, errors="replace").read())
    told = [f"{one.category.__name__}: {neutral(one.message)}" for one in warned if one.category is not ResourceWarning]
    return {**outcome, **({"stderr": text} if text else {}), **({"warnings": told} if told else {})}


def plain(value):  # noqa: PLR0911 - a line for each kind of value
    """Return a value in a form that JSON keeps, and that shows every difference of type."""
    if value is None or type(value) in {bool, int}:
        return value
    if type(value) is str:
        return neutral(value)
    if type(value) in {list, tuple, set, frozenset}:
        items = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
        return [f"<{type(value).__name__}>", *(plain(item) for item in items)]
    if type(value) is dict:
        return {neutral(key if isinstance(key, str) else repr(key)): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return ["<array>", str(value.dtype), list(value.shape), plain(value.tolist()), value.flags.writeable]
    if isinstance(value, type):
        return neutral(f"<class {value.__module__}.{value.__qualname__}>")
    if isinstance(value, types.BuiltinFunctionType) or callable(value):
        return f"<{getattr(value, '__name__', 'callable')}>"
    return neutral(f"{type(value).__module__}.{type(value).__qualname__}: {value!r}")


def neutral(text):
    """Return a text without what differs from run to run or by the module's own name."""
    text = str(text).replace("tensorrt_lean_bindings.tensorrt_lean", "tensorrt.tensorrt")
    text = text.replace("tensorrt_lean_bindings", "tensorrt").replace("tensorrt_lean", "tensorrt")
    text = re.sub(r"\bmodule 'reference_runtime", "module 'tensorrt", text)
    text = CUT_NAME.sub(r"\1\2'\3 ", text)
    text = re.sub(r"0x[0-9a-f]{6,}", "0x...", text)
    text = re.sub(r"\[\d\d/\d\d/\d{4}-\d\d:\d\d:\d\d\]", "[date]", text)
    return "".join(line for line in text.splitlines(keepends=True) if not of_another_frame(line)).replace(HERE, "")


def of_another_frame(line):
    """Say whether a line names a stack frame that is not the program's."""
    frame = re.match(r"  (.*)\(\d+\): ", line)
    return frame is not None and ("worker.py" in frame[1] or not frame[1].startswith((HERE, "<case>", "<string>")))


if __name__ == "__main__":
    main(sys.argv[1], os.fdopen(int(sys.argv[2]), "w"))
