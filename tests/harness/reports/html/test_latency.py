"""Latencies are drawn, each kind on an axis of its own."""

import re

from harness.reports.html.latency import latencies

SERIES = {
    "host_enqueue": [1e-5 + number * 1e-8 for number in range(50)] + [9e-3],
    "host_enqueue_net": [8e-6] * 20,
    "device_hot": [2e-6, 3e-6],
    "first_call": [1e-3, 2e-3],
}


def told(**more):
    measured = {"id": "conformance::/Bar/1::rows", "case": "rows", "series": SERIES, "facts": {"machine": "a <CPU>"},
                "lines": ["host_enqueue 10 us"], **more}  # fmt: skip
    return latencies({"latencies": {"measured": [measured], "compared": []}})


def test_host_and_device_have_axes_of_their_own():
    figures = told().split("<figure>")[1:]
    assert [sorted(name for name in SERIES if f">{name}<" in figure) for figure in figures] == [
        ["host_enqueue", "host_enqueue_net"],
        ["device_hot"],
        ["first_call"],
    ]


def test_what_was_measured_is_told_in_words_too():
    page = told()
    assert "a &lt;CPU&gt;" in page
    assert "host_enqueue: median 10.25 µs, p10 10.05, p90 10.45, 51 samples" in page
    assert "<li>host_enqueue 10 us</li>" in page


def test_a_sample_that_was_interrupted_does_not_stretch_the_axis():
    ticks = [
        float(each)
        for each in re.findall(r'<text x="[\d.]+" y="[\d.]+" text-anchor="middle" class="dim">([\d.]+)<', told())
    ]
    assert max(tick for tick in ticks if tick < 100) <= 12


def test_equal_samples_can_be_drawn():
    assert "<figure>" in told(series={"host_enqueue": [1e-5, 1e-5]})


def test_comparisons_are_told():
    compared = [{"id": "conformance::/Bar/1::rows::gate", "case": "rows", "with": "old_plugin", "said": "SAME"}]
    page = latencies({"latencies": {"measured": [], "compared": compared}})
    assert "Compared with old_plugin" in page
    assert "SAME" in page
