"""A C++ plugin without a case asserts what it needs, and an assertion that ends the process refuses a guess."""

import re

import pytest

from harness.contract.verdict import Verdict
from tests.support import native_build
from tests.support.verdicts import in_words, results_of

#: As NVIDIA's own plugins assert: they reset the device, then they exit.
EXITING = "cudaDeviceReset(); std::exit(1);"
INCLUDED = '#include <cstdlib>\nextern "C" int cudaDeviceReset();\n'


@pytest.mark.parametrize(
    ("condition", "refusing", "verdict"),
    [
        ("n != 2", EXITING, Verdict.PASS),
        pytest.param("n != 9", EXITING, Verdict.NOT_RUN, marks=pytest.mark.nightly),  # it ends a process for each guess
        pytest.param("n != 9", "std::abort();", Verdict.NOT_RUN, marks=pytest.mark.nightly),
    ],
)
def test_a_guess_that_the_plugin_asserts_against_is_no_defect(tmp_path, condition, refusing, verdict):
    body = f"{{ if ({condition}) {{ {refusing} }} }}"
    text = (native_build.EXAMPLES / "bar.cpp").read_text()
    changed, count = re.subn(
        r"(void configurePlugin\(\s*DynamicPluginTensorDesc const\*, int32_t)(.*?override) \{\}",
        rf"\1 n\2 {body}",
        text,
        flags=re.DOTALL,
    )
    assert count == 1
    source = tmp_path / "bar.cpp"
    source.write_text(f"{INCLUDED}{changed}")
    results = results_of(str(native_build.library(source)), rules=["ID-001", "CFG-012"], addresses="host")
    (case,) = results.values()
    verdicts = {each.rule: each.verdict for each in case}
    assert verdicts == {"ID-001": Verdict.PASS, "CFG-012": verdict}, in_words(results, verdicts)
