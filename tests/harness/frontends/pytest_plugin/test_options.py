"""What the options of other plugins of pytest do to a run that certifies plugins."""

import types

import pytest

from harness.frontends.pytest_plugin.options import disable_benchmarks_beside_workers


def configured(*plugins, dist="no", **more):
    option = types.SimpleNamespace(dist=dist, benchmark_disable=False)
    manager = types.SimpleNamespace(hasplugin=plugins.__contains__)
    getoption = lambda name, default: getattr(option, name, default)  # noqa: E731
    return types.SimpleNamespace(option=option, pluginmanager=manager, getoption=getoption, **more)


@pytest.mark.parametrize("kind", [{"dist": "load"}, {"workerinput": {}}], ids=["controller", "worker"])
def test_benchmarks_are_disabled_beside_workers_before_they_warn(kind):
    config = configured("benchmark", **kind)
    disable_benchmarks_beside_workers(config)
    assert config.option.benchmark_disable


@pytest.mark.parametrize("config", [configured("benchmark"), configured(dist="load")], ids=["alone", "not loaded"])
def test_other_runs_keep_what_the_user_chose(config):
    disable_benchmarks_beside_workers(config)
    assert not config.option.benchmark_disable
