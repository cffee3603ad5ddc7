"""How pybind11 binds: classes, overloads, conversions, enumerations, errors."""
