// LOOKS_LIKE SHP-002
//
// The sum of three inputs. It asserts their number wherever it is given it, so that a wrong one ends the process: that
// is no fault of the plugin while a case is only guessed.
#include <NvInfer.h>
#include <cuda_runtime_api.h>

#include <cassert>
#include <new>
#include <string>

using namespace nvinfer1;

namespace {

constexpr int32_t kINPUTS{3};

class SumPlugin : public IPluginV2DynamicExt {
public:
    AsciiChar const* getPluginType() const noexcept override { return "SumOfThree"; }
    AsciiChar const* getPluginVersion() const noexcept override { return "1"; }
    AsciiChar const* getPluginNamespace() const noexcept override { return mNamespace.c_str(); }
    void setPluginNamespace(AsciiChar const* name) noexcept override { mNamespace = name == nullptr ? "" : name; }
    int32_t getNbOutputs() const noexcept override { return 1; }
    int32_t initialize() noexcept override { return 0; }
    void terminate() noexcept override {}
    size_t getSerializationSize() const noexcept override { return 0; }
    void serialize(void*) const noexcept override {}
    void destroy() noexcept override { delete this; }

    IPluginV2DynamicExt* clone() const noexcept override { return new (std::nothrow) SumPlugin(*this); }

    DataType getOutputDataType(int32_t, DataType const* types, int32_t count) const noexcept override {
        assert(count == kINPUTS);
        return types[0];
    }

    DimsExprs getOutputDimensions(int32_t, DimsExprs const* inputs, int32_t count, IExprBuilder&) noexcept override {
        assert(count == kINPUTS);
        return inputs[0];
    }

    bool supportsFormatCombination(
        int32_t pos, PluginTensorDesc const* inOut, int32_t inputs, int32_t) noexcept override {
        assert(inputs == kINPUTS);
        return inOut[pos].format == TensorFormat::kLINEAR && inOut[pos].type == DataType::kFLOAT;
    }

    void configurePlugin(
        DynamicPluginTensorDesc const*, int32_t inputs, DynamicPluginTensorDesc const*, int32_t) noexcept override {
        assert(inputs == kINPUTS);
    }

    size_t getWorkspaceSize(
        PluginTensorDesc const*, int32_t inputs, PluginTensorDesc const*, int32_t) const noexcept override {
        assert(inputs == kINPUTS);
        return 0;
    }

    int32_t enqueue(PluginTensorDesc const* inputs, PluginTensorDesc const*, void const* const* in, void* const* out,
        void*, cudaStream_t) noexcept override {
        int64_t count{1};
        for (int32_t axis = 0; axis < inputs[0].dims.nbDims; ++axis) {
            count *= inputs[0].dims.d[axis];
        }
        auto const at = [&](int32_t input) { return static_cast<float const*>(in[input]); };
        for (int64_t place = 0; place < count; ++place) {
            static_cast<float*>(out[0])[place] = at(0)[place] + at(1)[place] + at(2)[place];
        }
        return 0;
    }

private:
    std::string mNamespace;
};

class SumCreator : public IPluginCreator {
public:
    AsciiChar const* getPluginName() const noexcept override { return "SumOfThree"; }
    AsciiChar const* getPluginVersion() const noexcept override { return "1"; }
    AsciiChar const* getPluginNamespace() const noexcept override { return mNamespace.c_str(); }
    void setPluginNamespace(AsciiChar const* name) noexcept override { mNamespace = name == nullptr ? "" : name; }
    PluginFieldCollection const* getFieldNames() noexcept override { return &mFields; }

    IPluginV2* createPlugin(AsciiChar const*, PluginFieldCollection const*) noexcept override {
        return made(new (std::nothrow) SumPlugin);
    }

    IPluginV2* deserializePlugin(AsciiChar const*, void const*, size_t length) noexcept override {
        return length == 0 ? made(new (std::nothrow) SumPlugin) : nullptr;
    }

private:
    IPluginV2* made(SumPlugin* plugin) const {
        if (plugin != nullptr) {
            plugin->setPluginNamespace(mNamespace.c_str());
        }
        return plugin;
    }

    PluginFieldCollection mFields{0, nullptr};
    std::string mNamespace;
};

REGISTER_TENSORRT_PLUGIN(SumCreator);

}  // namespace
