"""An inference service: an engine with two profiles, a context and a stream for each client, and requests to refuse.

A context belongs to one client and runs on one stream. Profile 0 is for single images, profile 1 for batches.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples import leaky_relu_v3

SHAPES = [
    [(1, 3, 4, 4), (1, 3, 8, 8), (1, 3, 16, 16)],
    [(2, 3, 4, 4), (8, 3, 8, 8), (8, 3, 16, 16)],
]
SLOPE = 0.25
#: Refers to the module that registers the plugin's creator.
PLUGIN = leaky_relu_v3.LeakyReluPlugin

PLUGIN_APPS = ["main"]


class RequestError(Exception):
    """A request cannot be answered; the message says why."""


def plugin():
    """Make the plugin by its creator, as a build does."""
    creator = trt.get_plugin_registry().get_creator("LeakyRelu", "2", "")
    if creator is None:
        raise RuntimeError("the creator of LeakyRelu is not registered")
    slope = np.array([SLOPE], np.float32)
    fields = trt.PluginFieldCollection([trt.PluginField("negative_slope", slope, trt.PluginFieldType.FLOAT32)])
    return creator.create_plugin("activation", fields, trt.TensorRTPhase.BUILD)


def build(logger):
    """Return the serialized engine."""
    builder = trt.Builder(logger)
    network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    x = network.add_input("x", trt.float32, (-1, 3, -1, -1))
    layer = network.add_plugin_v3([x], [], plugin())
    if layer is None:
        raise RuntimeError("TensorRT does not take the plugin")
    y = layer.get_output(0)
    y.name = "y"
    network.mark_output(y)
    config = builder.create_builder_config()
    for least, best, greatest in SHAPES:
        profile = builder.create_optimization_profile()
        profile.set_shape("x", least, best, greatest)
        if config.add_optimization_profile(profile) < 0:
            raise RuntimeError("TensorRT does not take the profile")
    data = builder.build_serialized_network(network, config)
    if data is None:
        raise RuntimeError("TensorRT could not build the engine")
    return data


class Client:
    """A context with its stream; it waits for each answer before the next request."""

    def __init__(self, engine):
        self.stream = cp.cuda.Stream(non_blocking=True)
        self.context = engine.create_execution_context()
        self.context.set_optimization_profile_async(0, self.stream.ptr)

    def infer(self, images):
        """Return the answer to a request, or raise RequestError."""
        profile = 0 if len(images) == 1 else 1
        if self.context.active_optimization_profile != profile:
            self.context.set_optimization_profile_async(profile, self.stream.ptr)
        if not self.context.set_input_shape("x", images.shape):
            raise RequestError(f"images of shape {images.shape} are not served")
        if self.context.infer_shapes():
            raise RequestError("the request lacks an input")
        with self.stream:
            x = cp.asarray(images)
            y = cp.empty(tuple(self.context.get_tensor_shape("y")), np.float32)
            for name, array in (("x", x), ("y", y)):
                if not self.context.set_tensor_address(name, array.data.ptr):
                    raise RequestError(f"TensorRT does not take the memory of {name}")
            if not self.context.execute_async_v3(self.stream.ptr):
                raise RequestError("the execution failed")
            answer = cp.asnumpy(y)
        self.stream.synchronize()
        return answer


def main():
    """Serve requests of two clients, and refuse one."""
    logger = trt.Logger(trt.Logger.WARNING)
    runtime = trt.Runtime(logger)
    engine = runtime.deserialize_cuda_engine(build(logger))
    if engine is None:
        raise RuntimeError("the engine cannot be loaded")
    clients = [Client(engine), Client(engine)]
    rng = np.random.default_rng(0)
    for number, shape in enumerate([(1, 3, 4, 4), (4, 3, 8, 8), (1, 3, 16, 16), (9, 3, 4, 4), (2, 3, 4, 4)]):
        images = rng.standard_normal(shape, np.float32)
        try:
            answer = clients[number % 2].infer(images)
        except RequestError as refused:
            print(f"request {number}: {refused}")
            continue
        expected = np.where(images > 0, images, np.float32(SLOPE) * images)
        if not np.allclose(answer, expected):
            raise RuntimeError(f"request {number}: the answer is wrong")
        print(f"request {number}: {answer.shape}")
