"""The rules, one module a family; they are found by the entry point ``trt_conformance.rules``."""
