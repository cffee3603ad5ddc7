"""Mirror pybind11's bindings: classes, overloads, conversions, enumerations, errors."""
