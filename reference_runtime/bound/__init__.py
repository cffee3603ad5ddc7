"""Mirror TensorRT's bindings, which pybind11 makes: classes, overloads, conversions, enumerations and errors."""
