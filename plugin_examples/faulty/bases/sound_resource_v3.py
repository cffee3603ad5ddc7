"""Two sound IPluginV3s for witnesses to build upon: ``y = factor * x``, as in ``sound_scale_v3``, with borrowed things.

``SharedScale`` has its factor in device memory. All plugins with this factor share it through the registry.
``LentScale`` has it in memory of the context's own allocator, if the context has an allocator. They register nothing
when they are imported.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import Scale

NBYTES = 4


def number_at(address):
    memory = cp.cuda.UnownedMemory(address, NBYTES, None)
    return cp.ndarray((1,), np.dtype(np.float32), memptr=cp.cuda.MemoryPointer(memory, 0))


def upload(address, value):
    number_at(address).set(np.array([value], np.float32))
    cp.cuda.runtime.streamSynchronize(0)


class Factor(trt.IPluginResource):
    """A resource whose clones hold a factor in device memory; the registered object holds none."""

    def __init__(self, factor):
        trt.IPluginResource.__init__(self)
        self.factor = factor
        self.address = 0

    def clone(self):
        other = type(self)(self.factor)
        other.acquire()
        return other

    def acquire(self):
        self.address = cp.cuda.runtime.malloc(NBYTES)
        upload(self.address, self.factor)

    def release(self):
        if self.address:
            cp.cuda.runtime.free(self.address)
            self.address = 0

    def number(self):
        return number_at(self.address)


class SharedScale(Scale):
    resource_class = Factor
    resource = None

    def key(self):
        return f"{self.plugin_name}/factor={self.factor}"

    def attach_to_context(self, context):
        attached = self.clone()
        attached.acquire()
        return attached

    def acquire(self):
        self.resource = trt.get_plugin_registry().acquire_plugin_resource(self.key(), self.resource_class(self.factor))
        if self.resource is None:
            raise RuntimeError(f"the registry has no resource for {self.key()}")

    def compute(self, x, y):
        cp.multiply(x, self.resource.number(), out=y)

    def destroy(self):
        if self.resource is not None:
            self.resource = None
            self.release()

    def release(self):
        trt.get_plugin_registry().release_plugin_resource(self.key())


class LentScale(Scale):
    allocator = None
    recorder = None
    address = 0

    def attach_to_context(self, context):
        attached = self.clone()
        attached.borrow(context)
        return attached

    def borrow(self, context):
        self.allocator, self.recorder = context.gpu_allocator, context.error_recorder
        if self.allocator is not None:
            self.address = self.allocate()
            upload(self.address, self.factor)

    def allocate(self):
        address = self.allocator.allocate(NBYTES, 256, 0)
        if not address:
            self.complain("there is no memory for the factor")
            raise MemoryError("the context's allocator has no memory")
        return address

    def complain(self, text):
        if self.recorder is not None:
            self.recorder.report_error(trt.ErrorCodeTRT.FAILED_ALLOCATION, text)

    def compute(self, x, y):
        factor = number_at(self.address) if self.address else x.dtype.type(self.factor)
        cp.multiply(x, factor, out=y)

    def destroy(self):
        if self.address:
            self.give_back()
            self.address = 0

    def give_back(self):
        self.allocator.deallocate(self.address)
