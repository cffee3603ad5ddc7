"""The table of ``pyproject.toml``: where it is found, what it may hold, and what is said of anything else."""

import pytest

from harness.config import pyproject
from harness.config.errors import UsageError


@pytest.fixture
def read(tmp_path):
    def read_table(text, start="."):
        (tmp_path / "pyproject.toml").write_text(text)
        return pyproject.read(tmp_path / start)

    return read_table


def test_every_kind_of_value_comes_out_as_the_command_line_would_have_it(read, tmp_path):
    table = read(
        """
        [tool.trt-conformance]
        module = ["my_plugins", "src/more.py"]
        app = "apps/demo.py:main"
        setup = "my_plugins:register"
        level = 5
        spec = 8.6
        timeout = 60
        fuzz-time = 1.5
        fuzz-examples = 7
        benchmark = true
        select = "FMT,CLN-007"
        expected-failures = "known.toml"
        fuzz-database = "shared"
        benchmark-against = "old_plugins"
        report = ["json:out/report.json"]
        [tool.trt-conformance.plugin.Bar]
        ignore = ["FUZ-006"]
        timeout = 2.5
        """
    )
    assert table.path == tmp_path / "pyproject.toml"
    assert table.entries == {
        "module": ("my_plugins", f"{tmp_path}/src/more.py"),
        "app": (f"{tmp_path}/apps/demo.py:main",),
        "setup": ("my_plugins:register",),
        "level": ("5",),
        "spec": ("8.6",),
        "timeout": ("60",),
        "fuzz-time": ("1.5",),
        "fuzz-examples": ("7",),
        "benchmark": ("yes",),
        "select": ("FMT,CLN-007",),
        "expected-failures": (f"{tmp_path}/known.toml",),
        "fuzz-database": (f"{tmp_path}/shared",),
        "benchmark-against": ("old_plugins",),
        "report": (f"json:{tmp_path}/out/report.json",),
    }
    assert table.plugins == {"Bar": {"ignore": ("FUZ-006",), "timeout": ("2.5",)}}


def test_the_nearest_file_is_the_one_that_counts(read, tmp_path):
    (tmp_path / "below" / "deep").mkdir(parents=True)
    assert read("[tool.trt-conformance]\nlevel = 1", "below/deep").entries == {"level": ("1",)}
    (tmp_path / "below" / "pyproject.toml").write_text("[project]\nname = 'other'")
    assert read("[tool.trt-conformance]\nlevel = 1", "below/deep") is None


@pytest.mark.parametrize(
    "text", ["", "[project]\ndependencies = ['pytest-trt-conformance']", "tool = 3 # trt-conformance", "no = TOML = "]
)
def test_a_file_without_a_table_of_ours_says_nothing(read, text):
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("fail_on = 'error'", "tool.trt-conformance.fail_on: unknown key (did you mean 'fail-on'?)"),
        ("plugin_timeout = 5", "tool.trt-conformance.plugin_timeout: unknown key (did you mean 'timeout'?)"),
        ("zzz = 5", "tool.trt-conformance.zzz: unknown key; known are module, library, app, "),
        ("timeout = '5'", "tool.trt-conformance.timeout must be a number, not a text: '5'"),
        ("timeout = true", "tool.trt-conformance.timeout must be a number, not true or false"),
        ("seed = 1.5", "tool.trt-conformance.seed must be a whole number, not a number: 1.5"),
        ("benchmark = 'yes'", "tool.trt-conformance.benchmark must be true or false, not a text: 'yes'"),
        ("select = 3", "tool.trt-conformance.select must be a text or a list of texts, not a whole number: 3"),
        ("select = ['FMT', 3]", "tool.trt-conformance.select must be a text or a list of texts, not a list with some"),
        ("setup = ['a:b']", "tool.trt-conformance.setup must be a text, not a list"),
        ("setup = ''", "tool.trt-conformance.setup must be a text, not an empty text"),
        ("device = 1979-05-27", "tool.trt-conformance.device must be a text, not a date or time"),
        ("level = {a = 1}", "tool.trt-conformance.level must be a word or a number, not a table"),
        ("plugin = 'Bar'", 'tool.trt-conformance.plugin must hold a table a plugin: [tool.trt-conformance.plugin."/N'),
        ("plugin.Bar = 5", "tool.trt-conformance.plugin.Bar must be a table of the plugin's options"),
        ("plugin.Bar.timout = 5", "tool.trt-conformance.plugin.Bar.timout: unknown key (did you mean 'timeou"),
        (
            'plugin."/Bar/1".level = 5',
            'tool.trt-conformance.plugin."/Bar/1".level: no single plugin can have this option; it can have select, i',
        ),
        ("plugin.Bar.timeout = 'x'", "tool.trt-conformance.plugin.Bar.timeout must be a number, not a text: 'x'"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_key(read, tmp_path, text, told):
    with pytest.raises(UsageError) as error:
        read(f"[tool.trt-conformance]\n{text}")
    assert str(error.value).startswith(f"{tmp_path}/pyproject.toml: {told}")


@pytest.mark.parametrize(
    "name", ["trt_conformance", "pytest-trt-conformance", "pytest_trt_conformance", '"TRT-Conformance"']
)
def test_a_table_of_nearly_our_name_is_told(read, name):
    with pytest.raises(UsageError, match=r"is not read \(did you mean \[tool.trt-conformance\]\?\)$"):
        read(f"[tool.{name}]\nlevel = 1")


def test_a_file_that_is_no_toml_is_told(read, tmp_path):
    with pytest.raises(UsageError, match=r"pyproject\.toml: no valid TOML: "):
        read("[tool.trt-conformance]\nlevel = = 1")
    (tmp_path / "pyproject.toml").write_bytes(b"[tool.trt-conformance]\nsetup = '\xff'")
    with pytest.raises(UsageError, match=r"pyproject\.toml: no valid TOML: "):
        pyproject.read(tmp_path)


def test_our_name_must_hold_a_table(read):
    with pytest.raises(UsageError, match=r"tool.trt-conformance must be a table: \[tool.trt-conformance\]"):
        read("[tool]\ntrt-conformance = 5")
