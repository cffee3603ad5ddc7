"""Names of C++ are written as in C++, and others left as they are."""

from reference_runtime.native.abi.type_names import current_exception, demangled


def test_a_mangled_name_is_written_as_in_cpp():
    assert demangled("_ZN3Foo3barEi") == "Foo::bar(int)"


def test_another_name_stays():
    assert demangled("cudaMalloc") == "cudaMalloc"


def test_without_an_exception_there_is_nothing_to_tell():
    assert current_exception() == ""
