import pytest

from reference_runtime.application.callback import Hook
from reference_runtime.bound.bound_class import pybind11_object
from reference_runtime.bound.conversions import int32
from reference_runtime.bound.overloads import Overload, bound, constructor
from reference_runtime.calling.gate.gate import Gate


class Base(pybind11_object, bound=True):
    @constructor(Overload("(self: Base) -> None"))
    def __init__(self):
        pass

    answer = bound(Overload("(self: Base) -> int"))(lambda self: int(HOOK.directly(self)))


HOOK = Hook("Base", "answer", "TensorRT gets -1", int32, missing=-2, failed=-1)
CAST = (
    "Unable to cast Python instance of type <class 'str'> to C++ type '?' "
    "(#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)"
)


class Silent(Base):
    pass


class Good(Base):
    def answer(self):
        return 7


class Raising(Base):
    def answer(self):
        raise SystemExit(3)


class Wrong(Base):
    def answer(self):
        return "text"


@pytest.fixture
def called():
    """Call an object as TensorRT does and as Python does; return both results, and the failures that were recorded."""

    def call(made):
        gate = Gate()
        return HOOK.through(gate, made), Base.answer(made), gate.failures

    return call


def test_an_override_is_called_and_its_result_converted(called, capfd):
    assert called(Good()) == (7, 7, [])
    assert capfd.readouterr().err == ""


def test_without_an_override_there_is_the_bindings_default(called, capfd):
    through, direct, (failure,) = called(Silent())
    assert (through, direct) == (-2, -2)
    said = '[ERROR] Exception caught in answer(): Tried to call pure virtual function "Base::answer"\n'
    assert capfd.readouterr().err == said * 2
    assert (failure.what, failure.becomes) == ("is not overridden", "TensorRT gets -1")


def test_what_an_override_raises_is_swallowed_and_recorded(called, capfd):
    through, direct, (failure,) = called(Raising())
    assert (through, direct) == (-1, -1)
    assert capfd.readouterr().err.count("[ERROR] Exception caught in answer(): SystemExit: 3") == 2
    assert failure.what == "raised SystemExit: 3"


def test_a_result_of_no_use_becomes_the_failure_value(called, capfd):
    through, direct, (failure,) = called(Wrong())
    assert (through, direct) == (-1, -1)
    assert capfd.readouterr().err == f"[ERROR] Exception caught in answer(): {CAST}\n" * 2
    assert failure.what == "returned a str, a wrong type or value"


def test_what_cannot_be_called_is_a_failure(capfd):
    made = type("Made", (Base,), {"answer": 5})()
    assert Base.answer(made) == -1
    said = "[ERROR] Exception caught in answer(): Object of type 'int' is not an instance of 'function'\n"
    assert capfd.readouterr().err == said


def test_a_method_that_is_looked_up_has_a_line_of_its_own(capfd):
    hook = Hook("Base", "answer", "", int32, missing=0, failed=0, called="other", type_name="an int", pure=False)
    assert hook.directly(Silent()) == 0
    assert hook.directly(Wrong()) == 0
    assert capfd.readouterr().err.splitlines() == [
        "Method: answer was not overriden. Please provide an implementation for this method.",
        "[ERROR] Return value of other() could not be interpreted as an int",
    ]


def test_none_in_place_of_an_object_has_no_words(capfd):
    hook = Hook("Base", "answer", "", int32, failed=0, by_value=True)
    assert hook.directly(type("Made", (Base,), {"answer": lambda _self: None})()) == 0
    assert capfd.readouterr().err == "[ERROR] Exception caught in answer(): \n"


def test_an_optional_method_may_be_missing_in_silence(capfd):
    gate = Gate()
    assert Hook("Base", "answer", "", optional=True, missing=3).through(gate, Silent()) == 3
    assert (capfd.readouterr().err, gate.failures) == ("", [])
