"""All fuzz rules together stay within a number of callbacks, builds and enqueues on the Bar of the guide."""

import collections
import json
import subprocess
import sys

#: At most so much at level 5, over both cases; what fuzzing took before it ended by what is reached stands beside it.
LIMITS = {"callbacks": 4500, "builds": 16, "enqueues": 300}  # 22,267, 199 and 2,441
COUNTING = """
import json
from tests.support import counted
print(json.dumps(counted.fuzzed("plugin_examples.bar")))
"""


def test_fuzzing_a_plugin_that_keeps_nothing_takes_few_calls():
    done = subprocess.run([sys.executable, "-c", COUNTING], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    counts = collections.Counter(json.loads(done.stdout.splitlines()[-1]))
    assert {name: counts[name] for name, most in LIMITS.items() if counts[name] > most} == {}
    assert counts["failures"] == 0
    assert counts["judged"] > 200, "what ends early has been judged"
