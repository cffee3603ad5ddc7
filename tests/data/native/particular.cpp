// Plugins that take particular fields or inputs alone, and say what they miss: to TensorRT's logger, or to standard
// error. Each copies its first input.
#include <NvInfer.h>
#include <cuda_runtime_api.h>

#include <cassert>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

using namespace nvinfer1;

namespace {

void demand(bool met, char const* condition) {
    if (!met) {
        throw std::invalid_argument(std::string{"Validation failed: "} + condition);
    }
}
#define DEMAND(condition) demand(condition, #condition)

template <typename Result>
Result refused(std::exception const& error, Result result) {
    getLogger()->log(ILogger::Severity::kERROR, error.what());
    return result;
}

/// What every plugin here has; Rules says what it demands.
template <typename Rules>
class Particular : public IPluginV2DynamicExt {
public:
    AsciiChar const* getPluginType() const noexcept override { return Rules::kNAME; }
    AsciiChar const* getPluginVersion() const noexcept override { return "1"; }
    AsciiChar const* getPluginNamespace() const noexcept override { return ""; }
    void setPluginNamespace(AsciiChar const*) noexcept override {}
    int32_t getNbOutputs() const noexcept override { return 1; }
    int32_t initialize() noexcept override { return 0; }
    void terminate() noexcept override {}
    size_t getSerializationSize() const noexcept override { return 0; }
    void serialize(void*) const noexcept override {}
    void destroy() noexcept override { delete this; }
    IPluginV2DynamicExt* clone() const noexcept override { return new (std::nothrow) Particular(*this); }
    DataType getOutputDataType(int32_t, DataType const* types, int32_t) const noexcept override { return types[0]; }

    DimsExprs getOutputDimensions(
        int32_t, DimsExprs const* inputs, int32_t, IExprBuilder&) noexcept override {
        return inputs[0];
    }

    bool supportsFormatCombination(
        int32_t pos, PluginTensorDesc const* inOut, int32_t nbInputs, int32_t) noexcept override {
        auto const type = pos == 1 && nbInputs > 1 ? Rules::kSECOND : DataType::kFLOAT;
        return inOut[pos].format == TensorFormat::kLINEAR && inOut[pos].type == type;
    }

    void configurePlugin(DynamicPluginTensorDesc const* in, int32_t nbInputs, DynamicPluginTensorDesc const*,
        int32_t) noexcept override {
        try {
            std::vector<Dims> dims;
            for (int32_t index = 0; index < nbInputs; ++index) {
                dims.push_back(in[index].max);
            }
            Rules::inputs(dims.data(), nbInputs);
        } catch (std::exception const& error) {
            refused(error, 0);  // it cannot return a status, and goes on
        }
    }

    size_t getWorkspaceSize(
        PluginTensorDesc const*, int32_t, PluginTensorDesc const*, int32_t) const noexcept override {
        return 0;
    }

    int32_t enqueue(PluginTensorDesc const* inputs, PluginTensorDesc const*, void const* const* in, void* const* out,
        void*, cudaStream_t stream) noexcept override {
        size_t bytes{sizeof(float)};
        for (int32_t axis = 0; axis < inputs[0].dims.nbDims; ++axis) {
            bytes *= static_cast<size_t>(inputs[0].dims.d[axis]);
        }
        return cudaMemcpyAsync(out[0], in[0], bytes, cudaMemcpyDeviceToDevice, stream) == cudaSuccess ? 0 : 1;
    }
};

template <typename Rules>
class Creator : public IPluginCreator {
public:
    AsciiChar const* getPluginName() const noexcept override { return Rules::kNAME; }
    AsciiChar const* getPluginVersion() const noexcept override { return "1"; }
    AsciiChar const* getPluginNamespace() const noexcept override { return ""; }
    void setPluginNamespace(AsciiChar const*) noexcept override {}
    PluginFieldCollection const* getFieldNames() noexcept override { return &mFields; }

    IPluginV2* createPlugin(AsciiChar const*, PluginFieldCollection const* given) noexcept override {
        try {
            for (auto const& advertised : mNames) {
                PluginField const* found{nullptr};
                for (int32_t index = 0; index < given->nbFields; ++index) {
                    auto const& field = given->fields[index];
                    found = std::strcmp(field.name, advertised.name) == 0 ? &field : found;
                }
                if (found == nullptr) {
                    throw std::invalid_argument(std::string{"required attribute not found: "} + advertised.name);
                }
                Rules::field(*found);
            }
            return new (std::nothrow) Particular<Rules>;
        } catch (std::exception const& error) {
            return refused(error, nullptr);
        }
    }

    IPluginV2* deserializePlugin(AsciiChar const*, void const*, size_t length) noexcept override {
        return length == 0 ? new (std::nothrow) Particular<Rules> : nullptr;
    }

private:
    std::vector<PluginField> mNames{Rules::fields()};
    PluginFieldCollection mFields{static_cast<int32_t>(mNames.size()), mNames.data()};
};

struct Anything {
    static constexpr DataType kSECOND{DataType::kFLOAT};
    static std::vector<PluginField> fields() { return {}; }
    static void field(PluginField const&) {}
    static void inputs(Dims const*, int32_t) {}
};

/// A text, whose type is not declared.
struct Text : Anything {
    static constexpr char const* kNAME{"Text"};
    static std::vector<PluginField> fields() { return {PluginField{"reduction"}, PluginField{"axis"}}; }
    static void field(PluginField const& field) {
        auto const isKnown = field.type == PluginFieldType::kCHAR && field.length == 4
            && std::memcmp(field.data, "mean", 4) == 0;
        if (std::strcmp(field.name, "reduction") == 0 && !isKnown) {
            throw std::invalid_argument("invalid value for 'reduction'");
        }
    }
};

/// As many elements as are declared.
struct Declared : Anything {
    static constexpr char const* kNAME{"Declared"};
    static std::vector<PluginField> fields() {
        return {PluginField{"stride", nullptr, PluginFieldType::kINT32, 2},
            PluginField{"group", nullptr, PluginFieldType::kINT32, 1}};
    }
    static void field(PluginField const& field) { DEMAND(field.length == (field.name[0] == 's' ? 2 : 1)); }
};

/// A fraction: it says which field it means. The other is read further than it is declared.
struct Fraction : Anything {
    static constexpr char const* kNAME{"Fraction"};
    static std::vector<PluginField> fields() {
        return {PluginField{"bounds", nullptr, PluginFieldType::kFLOAT32, 1},
            PluginField{"drop_rate", nullptr, PluginFieldType::kFLOAT32, 1}};
    }
    static void field(PluginField const& field) {
        auto const* const value = static_cast<float const*>(field.data);
        if (field.name[0] == 'b') {
            float sum{0.F};
            for (int32_t index = 0; index < 6; ++index) {
                sum += value[index];
            }
            DEMAND(sum != 123.25F);
        } else {
            float const dropRate{*value};
            DEMAND(dropRate > 0.F && dropRate < 1.F);
        }
    }
};

/// Weights, whose type is not declared.
struct Weighted : Anything {
    static constexpr char const* kNAME{"Weighted"};
    static std::vector<PluginField> fields() { return {PluginField{"type_id"}, PluginField{"gamma"}, PluginField{"beta"}}; }
    static void field(PluginField const& field) {
        auto const wanted = field.name[0] == 't' ? PluginFieldType::kINT32 : PluginFieldType::kFLOAT32;
        DEMAND(field.type == wanted);
    }
};

/// Inputs of unlike ranks and types, with an extent that is known, and one that two inputs share.
struct Boxes : Anything {
    static constexpr char const* kNAME{"Boxes"};
    static constexpr DataType kSECOND{DataType::kINT32};
    static void inputs(Dims const* in, int32_t nbInputs) {
        DEMAND(nbInputs == 3);
        auto const& rois = in[2];
        DEMAND(in[1].nbDims == 1);
        DEMAND(rois.nbDims == 2);
        DEMAND(rois.d[1] == 4);
        DEMAND(in[0].d[2] == in[1].d[0]);
    }
};

/// The same need, as glibc's assert says it.
struct Asserting : Anything {
    static constexpr char const* kNAME{"Asserting"};
    static void inputs(Dims const* in, int32_t nbInputs) {
        assert(nbInputs == 2);
        assert(in[0].nbDims == in[1].nbDims);
        assert(in[1].nbDims == 5);
        assert(in[1].d[3] == 1);
    }
};

using TextCreator = Creator<Text>;
using DeclaredCreator = Creator<Declared>;
using FractionCreator = Creator<Fraction>;
using WeightedCreator = Creator<Weighted>;
using BoxesCreator = Creator<Boxes>;
using AssertingCreator = Creator<Asserting>;
REGISTER_TENSORRT_PLUGIN(TextCreator);
REGISTER_TENSORRT_PLUGIN(DeclaredCreator);
REGISTER_TENSORRT_PLUGIN(FractionCreator);
REGISTER_TENSORRT_PLUGIN(WeightedCreator);
REGISTER_TENSORRT_PLUGIN(BoxesCreator);
REGISTER_TENSORRT_PLUGIN(AssertingCreator);

}  // namespace
