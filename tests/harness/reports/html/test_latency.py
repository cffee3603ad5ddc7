"""Latencies are drawn, each kind on an axis of its own."""

import re

from harness.reports.html.axis import LEFT, RIGHT, WIDTH
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


def test_the_floor_is_drawn_in_the_row_of_its_quantity():
    page = told(floors={"host_enqueue": {"seconds": 2e-6, "of": "an empty plugin"}, "device_cold": {}})
    (line,) = re.findall('<line x1="([0-9.]+)" x2="([0-9.]+)" y1="2" y2="42" class="floor">', page)
    assert line[0] == line[1] == f"{LEFT + 2 / 10.49 * (WIDTH - LEFT - RIGHT):.1f}"
    assert "<title>floor, an empty plugin: 2.00 µs</title>" in page
    assert "the broken line is the floor, an empty plugin" in page


def test_an_axis_reaches_down_to_the_floor():
    page = told(series={"host_enqueue": [9e-6, 1e-5]}, floors={"host_enqueue": {"seconds": 1e-6, "of": "it"}})
    assert float(re.search(r'<line x1="([\d.]+)"[^>]*class="floor"', page)[1]) > LEFT + 40
