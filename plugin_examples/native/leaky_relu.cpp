// Leaky ReLU as an IPluginV3: positive elements stay, the others are multiplied by a slope.
//
// nvcc makes a kernel of it. Any other compiler makes a loop that the CPU runs in enqueue, so that the example can be
// built without CUDA: such a plugin is certified with --plugin-addresses=host.
#include <NvInfer.h>
#include <cuda_runtime_api.h>

#include <cmath>
#include <cstring>
#include <new>

using namespace nvinfer1;

namespace leaky_relu {

constexpr char const* kNAME{"LeakyRelu"};
constexpr char const* kVERSION{"2"};
constexpr char const* kSLOPE{"negative_slope"};
constexpr float kDEFAULT_SLOPE{0.01F};

#ifdef __CUDACC__
__global__ void leakyReluKernel(float const* in, float* out, float slope, int64_t count) {
    int64_t const place = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (place < count) {
        out[place] = in[place] > 0.F ? in[place] : slope * in[place];
    }
}

bool run(float const* in, float* out, float slope, int64_t count, cudaStream_t stream) {
    constexpr int64_t kTHREADS{256};
    leakyReluKernel<<<static_cast<unsigned>((count + kTHREADS - 1) / kTHREADS), kTHREADS, 0, stream>>>(
        in, out, slope, count);
    return cudaPeekAtLastError() == cudaSuccess;
}
#else
bool run(float const* in, float* out, float slope, int64_t count, cudaStream_t) {
    for (int64_t place = 0; place < count; ++place) {
        out[place] = in[place] > 0.F ? in[place] : slope * in[place];
    }
    return true;
}
#endif

class LeakyReluPlugin : public IPluginV3, public IPluginV3OneCore, public IPluginV3OneBuild, public IPluginV3OneRuntime {
public:
    explicit LeakyReluPlugin(float slope) : mSlope{slope}, mField{kSLOPE, &mSlope, PluginFieldType::kFLOAT32, 1} {}
    LeakyReluPlugin(LeakyReluPlugin const&) = delete;
    LeakyReluPlugin& operator=(LeakyReluPlugin const&) = delete;

    IPluginCapability* getCapabilityInterface(PluginCapabilityType type) noexcept override {
        switch (type) {
        case PluginCapabilityType::kCORE: return static_cast<IPluginV3OneCore*>(this);
        case PluginCapabilityType::kBUILD: return static_cast<IPluginV3OneBuild*>(this);
        case PluginCapabilityType::kRUNTIME: return static_cast<IPluginV3OneRuntime*>(this);
        }
        return nullptr;
    }

    IPluginV3* clone() noexcept override { return new (std::nothrow) LeakyReluPlugin(mSlope); }

    AsciiChar const* getPluginName() const noexcept override { return kNAME; }
    AsciiChar const* getPluginVersion() const noexcept override { return kVERSION; }
    AsciiChar const* getPluginNamespace() const noexcept override { return ""; }

    int32_t getNbOutputs() const noexcept override { return 1; }

    int32_t getOutputDataTypes(
        DataType* outputs, int32_t, DataType const* inputs, int32_t) const noexcept override {
        outputs[0] = inputs[0];
        return 0;
    }

    int32_t getOutputShapes(DimsExprs const* inputs, int32_t, DimsExprs const*, int32_t, DimsExprs* outputs, int32_t,
        IExprBuilder&) noexcept override {
        outputs[0] = inputs[0];
        return 0;
    }

    bool supportsFormatCombination(
        int32_t pos, DynamicPluginTensorDesc const* inOut, int32_t, int32_t) noexcept override {
        return inOut[pos].desc.format == TensorFormat::kLINEAR && inOut[pos].desc.type == DataType::kFLOAT;
    }

    int32_t configurePlugin(
        DynamicPluginTensorDesc const*, int32_t, DynamicPluginTensorDesc const*, int32_t) noexcept override {
        return 0;
    }

    int32_t setTactic(int32_t tactic) noexcept override { return tactic == 0 ? 0 : 1; }

    int32_t onShapeChange(PluginTensorDesc const*, int32_t, PluginTensorDesc const*, int32_t) noexcept override {
        return 0;
    }

    IPluginV3* attachToContext(IPluginResourceContext*) noexcept override { return clone(); }

    int32_t enqueue(PluginTensorDesc const* inputs, PluginTensorDesc const*, void const* const* in, void* const* out,
        void*, cudaStream_t stream) noexcept override {
        int64_t count{1};
        for (int32_t axis = 0; axis < inputs[0].dims.nbDims; ++axis) {
            count *= inputs[0].dims.d[axis];
        }
        bool const done = count == 0
            || run(static_cast<float const*>(in[0]), static_cast<float*>(out[0]), mSlope, count, stream);
        return done ? 0 : 1;
    }

    PluginFieldCollection const* getFieldsToSerialize() noexcept override { return &mFields; }

private:
    float mSlope;
    PluginField mField;
    PluginFieldCollection mFields{1, &mField};
};

class LeakyReluCreator : public IPluginCreatorV3One {
public:
    AsciiChar const* getPluginName() const noexcept override { return kNAME; }
    AsciiChar const* getPluginVersion() const noexcept override { return kVERSION; }
    AsciiChar const* getPluginNamespace() const noexcept override { return ""; }
    PluginFieldCollection const* getFieldNames() noexcept override { return &mFields; }

    IPluginV3* createPlugin(
        AsciiChar const*, PluginFieldCollection const* fields, TensorRTPhase) noexcept override {
        float slope{kDEFAULT_SLOPE};
        for (int32_t place = 0; fields != nullptr && place < fields->nbFields; ++place) {
            auto const& field = fields->fields[place];
            if (std::strcmp(field.name, kSLOPE) != 0 || field.length == 0) {
                continue;
            }
            if (field.type != PluginFieldType::kFLOAT32 || field.length != 1 || field.data == nullptr) {
                return nullptr;
            }
            std::memcpy(&slope, field.data, sizeof(slope));
        }
        return std::isfinite(slope) ? new (std::nothrow) LeakyReluPlugin(slope) : nullptr;
    }

private:
    PluginField mField{kSLOPE, nullptr, PluginFieldType::kFLOAT32, 1};
    PluginFieldCollection mFields{1, &mField};
};

}  // namespace leaky_relu

extern "C" void setLoggerFinder(ILoggerFinder*) {}

extern "C" IPluginCreatorInterface* const* getCreators(int32_t& count) {
    static leaky_relu::LeakyReluCreator creator;
    static IPluginCreatorInterface* const creators[]{&creator};
    count = 1;
    return creators;
}
