"""The memory layout of TensorRT's C++ interfaces, from the table that ``tools/abi_facts.py`` derives and checks."""
