// Bar of TensorRT's developer guide as an IPluginV2DynamicExt: output 0 is both inputs joined along the first
// dimension, output 1 a copy of input 0. It has no kernel: all it does is copies on the device.
#include <NvInfer.h>
#include <cuda_runtime_api.h>

#include <cstring>
#include <new>
#include <string>

using namespace nvinfer1;

namespace {

constexpr char const* kNAME{"Bar"};
constexpr char const* kVERSION{"1"};

bool isKnown(DataType type) { return type == DataType::kFLOAT || type == DataType::kHALF || type == DataType::kINT32; }

size_t bytesOf(PluginTensorDesc const& desc) {
    size_t bytes{desc.type == DataType::kHALF ? 2U : 4U};
    for (int32_t axis = 0; axis < desc.dims.nbDims; ++axis) {
        bytes *= static_cast<size_t>(desc.dims.d[axis]);
    }
    return bytes;
}

bool copy(void* to, void const* from, size_t bytes, cudaStream_t stream) {
    return bytes == 0 || cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream) == cudaSuccess;
}

class BarPlugin : public IPluginV2DynamicExt {
public:
    AsciiChar const* getPluginType() const noexcept override { return kNAME; }
    AsciiChar const* getPluginVersion() const noexcept override { return kVERSION; }
    AsciiChar const* getPluginNamespace() const noexcept override { return mNamespace.c_str(); }
    void setPluginNamespace(AsciiChar const* name) noexcept override { mNamespace = name == nullptr ? "" : name; }
    int32_t getNbOutputs() const noexcept override { return 2; }
    int32_t initialize() noexcept override { return 0; }
    void terminate() noexcept override {}
    size_t getSerializationSize() const noexcept override { return 0; }
    void serialize(void*) const noexcept override {}  // there is no parameter
    void destroy() noexcept override { delete this; }

    IPluginV2DynamicExt* clone() const noexcept override { return new (std::nothrow) BarPlugin(*this); }

    DataType getOutputDataType(int32_t index, DataType const* types, int32_t count) const noexcept override {
        bool const valid = index >= 0 && index < getNbOutputs() && count > 0 && isKnown(types[0]);
        return valid ? types[0] : DataType::kFLOAT;
    }

    DimsExprs getOutputDimensions(
        int32_t index, DimsExprs const* inputs, int32_t, IExprBuilder& builder) noexcept override {
        DimsExprs dims{inputs[0]};
        if (index == 0) {
            dims.d[0] = builder.operation(DimensionOperation::kSUM, *inputs[0].d[0], *inputs[1].d[0]);
        }
        return dims;
    }

    bool supportsFormatCombination(
        int32_t pos, PluginTensorDesc const* inOut, int32_t, int32_t) noexcept override {
        auto const& desc = inOut[pos];
        return desc.format == TensorFormat::kLINEAR && isKnown(desc.type) && desc.type == inOut[0].type;
    }

    void configurePlugin(
        DynamicPluginTensorDesc const*, int32_t, DynamicPluginTensorDesc const*, int32_t) noexcept override {}

    size_t getWorkspaceSize(
        PluginTensorDesc const*, int32_t, PluginTensorDesc const*, int32_t) const noexcept override {
        return 0;
    }

    int32_t enqueue(PluginTensorDesc const* inputs, PluginTensorDesc const*, void const* const* in, void* const* out,
        void*, cudaStream_t stream) noexcept override {
        size_t const first = bytesOf(inputs[0]);
        size_t const second = bytesOf(inputs[1]);
        bool const done = copy(out[0], in[0], first, stream)
            && copy(static_cast<char*>(out[0]) + first, in[1], second, stream) && copy(out[1], in[0], first, stream);
        return done ? 0 : 1;
    }

private:
    std::string mNamespace;
};

class BarCreator : public IPluginCreator {
public:
    AsciiChar const* getPluginName() const noexcept override { return kNAME; }
    AsciiChar const* getPluginVersion() const noexcept override { return kVERSION; }
    AsciiChar const* getPluginNamespace() const noexcept override { return mNamespace.c_str(); }
    void setPluginNamespace(AsciiChar const* name) noexcept override { mNamespace = name == nullptr ? "" : name; }
    PluginFieldCollection const* getFieldNames() noexcept override { return &mFields; }

    IPluginV2* createPlugin(AsciiChar const*, PluginFieldCollection const*) noexcept override { return made(); }

    IPluginV2* deserializePlugin(AsciiChar const*, void const*, size_t size) noexcept override {
        return size == 0 ? made() : nullptr;
    }

private:
    IPluginV2* made() const noexcept {
        auto* plugin = new (std::nothrow) BarPlugin;
        if (plugin != nullptr) {
            plugin->setPluginNamespace(mNamespace.c_str());
        }
        return plugin;
    }

    std::string mNamespace;
    PluginFieldCollection mFields{0, nullptr};
};

REGISTER_TENSORRT_PLUGIN(BarCreator);

}  // namespace
