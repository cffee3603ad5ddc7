"""Builds networks of logging plugins, and prints for each one line of JSON: how far it came, and every call.

    python program.py genuine|ours < ITEMS

ITEMS is a JSON list of pairs: the name of a scenario, or a description that `drawn` makes a network of, and a fault or
nothing. Each stage prints a line, since NVIDIA's builder may kill the process. The reference runtime goes the way that
NVIDIA's builder goes, if it has it.
"""

import contextlib
import gc
import json
import sys

if sys.argv[1] == "genuine":
    import tensorrt_rtx

    sys.modules["tensorrt"] = tensorrt_rtx
import logging_plugin
import tensorrt as trt
from drawn import network_of
from logging_plugin import EVENTS, PLAN, Creator, Plan, say
from onnx import helper
from scenarios import SCENARIOS

GENUINE = sys.argv[1] == "genuine"
HOST_SHAPES = ("s",)
"""The names of inputs whose values are shapes."""


class Log(trt.ILogger):
    def __init__(self):
        trt.ILogger.__init__(self)
        self.errors = []

    def log(self, severity, text):
        if severity in {trt.ILogger.ERROR, trt.ILogger.INTERNAL_ERROR}:
            self.errors.append(text)


def nvidias_decisions(attached):
    """Return each decision of the reference runtime that NVIDIA's builder makes, as that makes it."""
    return {
        "way of a build": int(attached) + 2 * int(not attached),
        "types asked for again by the network": 1,
        "analyses that are repeated": 1,
        "types asked for before shapes": 1,
        "types asked for in a build": 1,
        "network's plugin asked for shapes in a build": 1,
    }


def like_nvidia(scenario):
    """Return a context in which the reference runtime goes the way that NVIDIA's builder goes."""
    if GENUINE:
        return contextlib.nullcontext()
    from reference_runtime.calling.gate.scheduler import scheduling  # noqa: PLC0415 - not on the genuine side

    return scheduling(0, nvidias_decisions(scenario.get("attached", False)))


def model_of(scenario, op):
    nodes = [
        helper.make_node(op if kind == "Plugin" else kind, inputs, outputs, name=f"n{place}", **attributes)
        for place, (kind, inputs, outputs, attributes) in enumerate(scenario["nodes"])
    ]
    ends = [
        [helper.make_tensor_value_info(name, *spec) for name, spec in scenario[side].items()]
        for side in ("inputs", "outputs")
    ]
    graph = helper.make_graph(nodes, "graph", *ends, initializer=scenario.get("constants", []))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString()


def configured(builder, scenario):
    config = builder.create_builder_config()
    if GENUINE:
        config.num_compute_capabilities = 1
        config.set_compute_capability(trt.ComputeCapability.SM89, 0)  # without a GPU the builder has to be told
    for name in scenario.get("preview", ()):
        config.set_preview_feature(getattr(trt.PreviewFeature, name), True)  # noqa: FBT003 - TensorRT's signature
    for ranges in scenario["profiles"]:
        profile = builder.create_optimization_profile()
        for name, bounds in ranges.items():
            (profile.set_shape_input if name in HOST_SHAPES else profile.set_shape)(name, *bounds)
        config.add_optimization_profile(profile)
    return config


def build(scenario, op, stage):
    trt.get_plugin_registry().register_creator(Creator(op), "")
    log = Log()
    builder = trt.Builder(log)
    network = builder.create_network(0)
    parser = trt.OnnxParser(network, log)
    stage("parse")
    if not parser.parse(model_of(scenario, op)):
        return "parse fails", log.errors
    config = configured(builder, scenario)
    stage("build")
    plans = [builder.build_serialized_network(network, config) for _ in range(1 + scenario.get("twice", False))]
    came = "plan" if all(plan is not None for plan in plans) else "no plan"
    stage("end")
    del parser, network, config, builder, plans
    gc.collect()
    return came, log.errors


def run(number, scenario, fault):
    PLAN[:] = [Plan(scenario, fault)]
    EVENTS.clear()
    reached = []

    def stage(name):
        reached[:] = [name]
        say(item=number, at=name, events=EVENTS)

    try:
        with like_nvidia(scenario):
            came, errors = build(scenario, f"Plugin{number}", stage)
    except BaseException as error:
        if type(error).__name__ != "NativeCrash":
            raise
        came, errors = f"dies in {reached[0]}", [str(error)]
    gc.collect()
    say(item=number, outcome=came, errors=errors, events=EVENTS)


def main():
    sys.path.insert(0, logging_plugin.__file__.rpartition("/")[0])
    for number, scenario, fault in json.load(sys.stdin):
        run(number, SCENARIOS[scenario] if isinstance(scenario, str) else network_of(scenario), fault)
    PLAN[:] = [Plan({})]
    gc.collect()


if __name__ == "__main__":
    main()
