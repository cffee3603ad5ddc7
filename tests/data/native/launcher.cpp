// y = factor * x by a kernel that is registered and launched as nvcc's code does it, so that g++ can compile this.
#include <NvInfer.h>
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <new>

using namespace nvinfer1;

namespace {

// The function on the host that stands for `__global__ void scaleKernel(float const*, float*, float, int)`.
void stub() {}

struct Registration {
    Registration() {
        handle = __cudaRegisterFatBinary(nullptr);
        char name[]{"_Z11scaleKernelPKfPffi"};
        __cudaRegisterFunction(handle, reinterpret_cast<char const*>(&stub), name, name, -1, nullptr, nullptr, nullptr,
            nullptr, nullptr);
        __cudaRegisterFatBinaryEnd(handle);
    }
    ~Registration() { __cudaUnregisterFatBinary(handle); }
    void** handle{nullptr};
} registration;

class Launcher : public IPluginV2DynamicExt {
public:
    AsciiChar const* getPluginType() const noexcept override { return "Launcher"; }
    AsciiChar const* getPluginVersion() const noexcept override { return "1"; }
    AsciiChar const* getPluginNamespace() const noexcept override { return ""; }
    int32_t getNbOutputs() const noexcept override { return 1; }
    void destroy() noexcept override { delete this; }
    IPluginV2DynamicExt* clone() const noexcept override { return new (std::nothrow) Launcher(*this); }
    DataType getOutputDataType(int32_t, DataType const* types, int32_t) const noexcept override { return types[0]; }
    DimsExprs getOutputDimensions(int32_t, DimsExprs const* in, int32_t, IExprBuilder&) noexcept override {
        return in[0];
    }
    bool supportsFormatCombination(int32_t pos, PluginTensorDesc const* d, int32_t, int32_t) noexcept override {
        return d[pos].format == TensorFormat::kLINEAR && d[pos].type == DataType::kFLOAT;
    }
    int32_t enqueue(PluginTensorDesc const* descs, PluginTensorDesc const*, void const* const* in, void* const* out,
        void*, cudaStream_t stream) noexcept override {
        int count{1};
        for (int32_t axis = 0; axis < descs[0].dims.nbDims; ++axis) {
            count *= static_cast<int>(descs[0].dims.d[axis]);
        }
        float factor{2.5F};
        void const* x{in[0]};
        void* y{out[0]};
        void* arguments[]{&x, &y, &factor, &count};
#ifdef FILLS
        cudaMemsetAsync(y, 0, static_cast<size_t>(count) * sizeof(float), stream);
#endif
        auto const status = cudaLaunchKernel(
            reinterpret_cast<void const*>(&stub), dim3{1, 1, 1}, dim3{32, 1, 1}, arguments, 0, stream);
#if defined(IGNORES)
        return 0;
#elif defined(ABORTS)
        if (cudaGetLastError() != cudaSuccess) {
            std::abort();
        }
#elif defined(CRASHES)
        if (status != cudaSuccess) {
            *reinterpret_cast<int volatile*>(16) = 1;
        }
#elif defined(FAILS)
        return 1;
#elif defined(ASKS_AFTERWARDS)
        return cudaGetLastError();
#endif
        return status;
    }
};

class LauncherCreator : public IPluginCreator {
public:
    AsciiChar const* getPluginName() const noexcept override { return "Launcher"; }
    AsciiChar const* getPluginVersion() const noexcept override { return "1"; }
    AsciiChar const* getPluginNamespace() const noexcept override { return ""; }
    PluginFieldCollection const* getFieldNames() noexcept override { return &mFields; }
    IPluginV2* createPlugin(AsciiChar const*, PluginFieldCollection const*) noexcept override {
        return new (std::nothrow) Launcher;
    }
    IPluginV2* deserializePlugin(AsciiChar const*, void const*, size_t) noexcept override {
        return new (std::nothrow) Launcher;
    }

private:
    PluginFieldCollection mFields{0, nullptr};
};

REGISTER_TENSORRT_PLUGIN(LauncherCreator);

}  // namespace
