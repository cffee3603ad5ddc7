"""Run compiled plugins: a shared library is loaded, and its C++ objects become Python objects of this runtime.

Theory. A proxy is a Python object with the same base class as a plugin in Python. Each of its methods calls a slot of
the C++ object's table of virtual functions, through ctypes. So all code that calls plugins can call proxies, too. This
project provides the objects and functions that a library itself calls: the registry, expressions, the CUDA runtime.
They are written into memory in the layout that a C++ compiler would choose.

The folders, from the bottom up:

* `abi`: the memory layout of the interfaces
* `elf`: shared libraries as files, and stand-ins for missing libraries
* `heap`: the heap memory that a library uses
* `exchange`: data that passes between Python and C++
* `proxies`: C++ objects for Python
* `services`: this runtime's objects for C++
* `cuda`: the CUDA runtime on the host device
* `library`: loads a library with all of these
"""
