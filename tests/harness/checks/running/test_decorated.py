"""Decorated functions called directly: what was told, what was answered, and what globals held."""

import numpy as np
import pytest

import reference_runtime as trt
from harness.cases.case import Case, Input
from harness.checks.formats.formats import Asker, Question, accepted_combinations
from harness.checks.running.decorated import (
    as_imported,
    descriptions,
    elements,
    kernels,
    problem_of,
    tactics_of,
    tuned,
)
from harness.checks.running.driver import Driver, fresh_driver
from harness.contract.finding import CallbackFailedError, NotApplicable, NotRun
from harness.contract.interface import Interface
from harness.subject.callers.decorated import DecoratedCaller
from harness.subject.subject import PluginOrigin, Subject
from reference_runtime import plugin as trtp
from reference_runtime.bridges import cupy as cp
from reference_runtime.bridges.stand_ins import standing_in
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.devices.current import use
from reference_runtime.devices.host import HostDevice
from tests.support.decorated_plugins import forgotten
from tests.support.nonsense.kinds import misnamed, unreadable

KERNEL = tuple[str, str, trtp.KernelLaunchParams, trtp.SymIntExprs]
INPUT = Input(dims=("N", 3), min=(1, 3), opt=(2, 3), max=(4, 3), types=("float32", "float16"))


@pytest.fixture(autouse=True)
def device():
    with forgotten(), use(HostDevice()) as made:
        yield made


@pytest.fixture
def subject(device):
    """Return what makes a subject of ``m::p``, whose ``register`` is given."""

    def make(register, impl=None, **fields):
        trtp.register("m::p")(register)
        if impl is not None:
            trtp.impl("m::p")(impl)
        creator = trtp.op.m.p.creator
        case = Case(plugin="p", namespace="m", fields=fields, inputs=(INPUT,))
        origin = PluginOrigin("m", "m.py", (creator,), (), registered=True, siblings=(case,))
        gate = Gate(quiet=True)
        return Subject(trt, creator, case, origin, gate, device, interface=Interface.DECORATED)

    return make


def like(x: trtp.TensorDesc) -> trtp.TensorDesc:
    return x.like()


def double(x, outputs, stream):
    with cp.cuda.ExternalStream(stream):
        cp.add(cp.asarray(x), cp.asarray(x), out=cp.asarray(outputs[0]))


def test_register_is_called_with_fake_extents_then_with_known_ones(subject):
    fake, known = descriptions(subject(like, double))
    assert [each.inputs[0].shape_expr[0].is_fake for each in (fake, known)] == [True, False]
    assert fake.said == known.said == [("DataType.FLOAT", -1)]
    assert not fake.changed
    assert fake.has_descriptors


def test_an_error_is_kept_and_so_is_a_change_behind_the_descriptor(subject):
    def odd(x: trtp.TensorDesc) -> trtp.TensorDesc:
        x.shape_expr[1] = 7
        if not x.shape_expr[0].is_fake:
            raise KeyError("no")
        return x.aliased()

    fake, known = descriptions(subject(odd, double))
    assert fake.changed == [0]
    assert fake.said == [("DataType.FLOAT", 0)]
    assert isinstance(known.error, KeyError)


def test_without_autotune_the_types_of_the_network_are_taken(subject):
    made = subject(like, double)
    asker = Asker(made, made.create())
    found = [
        str(each) for dtype in (trt.float32, trt.float16) for each in accepted_combinations(asker, input_types=[dtype])
    ]
    assert found == ["FLOAT:LINEAR -> FLOAT:LINEAR", "HALF:LINEAR -> HALF:LINEAR"]
    with pytest.raises(NotApplicable, match="no autotune"):
        tuned(made)


def test_single_questions_are_answered_by_the_whole_answer(subject):
    made = subject(like, double)
    trtp.autotune("m::p")(lambda x, outputs: [trtp.AutoTuneCombination("FP32|FP16, FP32|FP16", "LINEAR")])
    asker, linear = Asker(made, made.create()), trt.TensorFormat.LINEAR
    head = ((trt.float16, linear),)
    answers = [
        asker.outcome(question)
        for question in (
            Question((), (trt.float16, linear)),
            Question((), (trt.int8, linear)),
            Question(head, (trt.float16, linear)),
            Question(head, (trt.float32, linear)),
        )
    ]
    assert answers == [True, False, True, False]


def test_a_plugin_runs_at_its_driver_with_a_tactic(subject):
    seen = []

    def run(x, outputs, stream, tactic):
        seen.append(tactic)
        double(x, outputs, stream)

    made = subject(like, run)
    trtp.autotune("m::p")(lambda x, outputs: [trtp.AutoTuneCombination("FP32, FP32", "LINEAR", [5])])
    run = fresh_driver(made).run(((2, 3),))
    assert np.array_equal(run.outputs[0], run.inputs[0] * 2)
    assert seen == [5]


def test_autotune_is_told_the_bounds_of_every_tensor(subject):
    told = []
    made = subject(like, double)

    @trtp.autotune("m::p")
    def ways(x, outputs):
        told.append([(each.shape.min, each.shape.opt, each.shape.max) for each in (x, *outputs)])
        return [trtp.AutoTuneCombination("FP32, FP32", "LINEAR", [2, 1])]

    found = tuned(made)
    assert told[0] == [((1, 3), (2, 3), (4, 3))] * 2
    assert [tactics_of(each) for each in found.combinations] == [[1, 2]]
    assert problem_of(found.combinations[0], 2) == ""
    assert problem_of(found.combinations[0], 3) == "2 types for 3 tensors"


def test_what_raised_is_known_by_its_innermost_function(subject):
    made = subject(like, double)
    trtp.autotune("m::p")(lambda x, outputs: trtp.AutoTuneCombination().pos(1, "FP32"))
    assert (tuned(made).raised_in, tuned(made).combinations) == ("pos", [])


ADDEND = None


def test_globals_are_for_a_while_what_they_were(subject):
    global ADDEND  # noqa: PLW0603 - what is tested

    def run(x, outputs, stream):
        return ADDEND

    subject(like, run)
    definition = trtp.op.m.p
    seen = dict(run.__globals__)
    ADDEND = 3
    with as_imported(definition, seen) as lost:
        assert lost == ["ADDEND"]
        assert run(None, None, None) is None
    assert run(None, None, None) == 3
    ADDEND = None


def kernel_for(arguments):
    def kernel(x, outputs, tactic) -> KERNEL:
        count = x.shape_expr.numel()
        return "k", "ptx", trtp.KernelLaunchParams(grid_x=count), arguments(count)

    return kernel


def test_kernels_are_asked_for_also_where_there_is_an_impl(subject):
    made = subject(like, double)
    trtp.aot_impl("m::p")(kernel_for(lambda count: trtp.SymIntExprs.from_tuple([count])))
    found = list(kernels(made))
    assert [each.problem for each in found] == ["", ""]  # FLOAT and HALF
    assert [len(each.arguments) for each in found] == [1, 1]


def test_a_kernel_that_is_none_says_what_it_is(subject):
    made = subject(like)
    trtp.aot_impl("m::p")(kernel_for(lambda count: [count]))
    assert [each.problem for each in kernels(made)] == ["a list as part 3"] * 2


def test_a_compiled_plugin_runs_by_its_stand_in(subject):
    made = subject(like)
    trtp.aot_impl("m::p")(kernel_for(lambda count: trtp.SymIntExprs.from_tuple([count])))

    def k(launch, x, count, y):
        y[:count] = x[:count] * 2

    with standing_in({"k": k}) as called:
        run = Driver(made, made.create()).prepare().run(((4, 3),))
    assert np.array_equal(run.outputs[0], run.inputs[0] * 2)
    assert called == {"k"}
    with pytest.raises(NotRun, match="no plugin is loaded"):
        made.deserialize([])


def test_the_caller_knows_the_network_of_its_case(subject):
    caller = subject(like, double).caller
    assert isinstance(caller, DecoratedCaller)
    assert [(each.desc.dims, each.max) for each in caller.network] == [((-1, 3), (4, 3))]


@pytest.mark.parametrize("how", ["by the program", "with an argument"])
def test_a_plugin_without_impl_is_judged_unless_a_function_without_parameters_defines_it(subject, how, monkeypatch):
    def built(network):
        trtp.impl("m::p")(network.double)

    def enabled():
        trtp.impl("m::p")(double)

    found = subject(like)
    monkeypatch.setitem(like.__globals__, "switch", enabled if how == "by the program" else built)
    if how == "by the program":
        with pytest.raises(NotRun, match=r"a call of switch\(\) defines what runs"):
            found.create()
    else:
        with pytest.raises(CallbackFailedError, match="create_plugin raised"):
            found.create()


def test_aot_impl_that_imports_a_package_which_is_missing_is_not_judged(subject):
    def compiled(x: trtp.TensorDesc, outputs: tuple[trtp.TensorDesc], tactic: int) -> KERNEL:
        import no_such_kernels  # noqa: F401, PLC0415

    found = subject(like)
    trtp.autotune("m::p")(lambda x, outputs: [trtp.AutoTuneCombination("FP32, FP32")])
    trtp.aot_impl("m::p")(compiled)
    with pytest.raises(NotRun, match="no_such_kernels is missing on this machine"):
        list(kernels(found))


def test_the_elements_of_an_answer_are_read_by_its_real_type():
    assert elements(unreadable(list, [1, 2]), list, tuple) == [1, 2]
    assert elements((1, 2), list, tuple) == [1, 2]
    assert elements((1, 2), list) is None
    assert elements(misnamed(list), list, tuple) is None
