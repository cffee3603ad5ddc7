"""Plugins that are compiled: a shared library loaded, and its C++ objects as objects of this runtime.

Theory. A proxy is a Python object with the same base class as a plugin in Python; each of its methods calls a slot of
the C++ object's table of virtual functions, through ctypes. So all code that calls plugins can call these, too. The
objects and functions that a library itself calls (the registry, expressions, the CUDA runtime) are ours, written into
memory in the layout of a C++ compiler.

From the bottom: `abi`, the memory layout of the interfaces; `elf`, shared libraries as files, and stand-ins for missing
ones; `exchange`, data that crosses the boundary; `proxies`, C++ objects for Python; `services`, ours for C++; `cuda`,
the CUDA runtime on the host device; `library`, which loads a library with all of these.
"""
