"""Names and members of TensorRT 10.16 that TensorRT 11 does not have."""

from __future__ import annotations

from typing import Final

NAMES: Final = (
    "CalibrationAlgoType",
    "IAlgorithm",
    "IAlgorithmContext",
    "IAlgorithmIOInfo",
    "IAlgorithmSelector",
    "IAlgorithmVariant",
    "IInt8Calibrator",
    "IInt8EntropyCalibrator",
    "IInt8EntropyCalibrator2",
    "IInt8LegacyCalibrator",
    "IInt8MinMaxCalibrator",
    "IStreamReader",
    "QuantizationFlag",
    "SubGraphCollection",
)

MEMBERS: Final = {
    "Builder": ("platform_has_fast_fp16", "platform_has_fast_int8", "platform_has_tf32"),
    "IBuilderConfig": (
        "algorithm_selector",
        "clear_quantization_flag",
        "get_calibration_profile",
        "get_quantization_flag",
        "int8_calibrator",
        "quantization_flags",
        "set_calibration_profile",
        "set_quantization_flag",
    ),
    "ICudaEngine": (
        "create_execution_context_without_device_memory",
        "device_memory_size",
        "get_device_memory_size_for_profile",
        "has_implicit_batch_dimension",
        "minimum_weight_streaming_budget",
        "weight_streaming_budget",
    ),
    "IExecutionContext": ("all_shape_inputs_specified",),
    "ILayer": (
        "output_type_is_set",
        "precision",
        "precision_is_set",
        "reset_output_type",
        "reset_precision",
        "set_output_type",
    ),
    "INormalizationLayer": ("compute_precision",),
    "IPluginRegistry": ("get_plugin_creator", "plugin_creator_list"),
    "ITensor": ("dynamic_range", "reset_dynamic_range", "set_dynamic_range"),
    "OnnxParser": ("parse_with_weight_descriptors", "supports_model"),
    "Refitter": ("get_dynamic_range", "get_tensors_with_dynamic_range", "set_dynamic_range"),
}
