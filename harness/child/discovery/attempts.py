"""Try to run a plugin with guessed fields and inputs, and note its progress and refusals.

Theory. A plugin in Python refuses a guess by an exception. A plugin in C++ may end the process, by a failed assertion
or by reading a missing input. That is no defect as long as the number of inputs is only guessed. So if a guess ended
the process, all guesses are tried again, each in a separate fork.
"""

from __future__ import annotations

import itertools
import mmap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import structs

from harness.checks.formats.choices import default_combination
from harness.checks.formats.formats import Asker, Question, accepted_combinations
from harness.checks.formats.output_types import TypeQuestion, try_type
from harness.checks.observation.in_a_fork import ASSERTED, EXITED, apart
from harness.checks.running.driver import Driver
from harness.checks.sampling.sampling import best_shapes, corner_shapes, have_equal_shapes, narrowed
from harness.checks.shapes.shapes import ask_output_dimensions, network_shapes, output_indices
from harness.child.discovery.listening import Heard
from harness.contract.finding import CallbackFailedError, NeedsDeviceError, NotRun, SkippedCallbackError
from harness.contract.interface import SYMBOLIC
from harness.contract.language import Language
from harness.process import flight_recorder, stack
from harness.subject.calling import is_for_want
from reference_runtime.devices import cuda_api

if TYPE_CHECKING:
    from harness.cases.case import Case
    from harness.checks.formats.formats import Form
    from harness.checks.sampling.sampling import Shapes
    from harness.checks.shapes.shapes import QueryInput
    from harness.child.discovery.listening import Ear
    from harness.subject.fields import FieldValue
    from harness.subject.subject import Subject

    T = TypeVar("T")

#: How a plugin says that it does not want what was tried, or shows that it has more inputs or dimensions (IndexError);
#: any other exception is taken for a defect. StatusError is a status that a plugin in C++ returns.
_REFUSALS = (
    "raised ValueError",
    "raised RuntimeError",
    "raised StatusError",
    "raised AssertionError",
    "raised NotImplementedError",
    "raised IndexError",
)
#: The same of a plugin that has run with no guess yet: dimensions that do not fit together lead to divisions by zero.
_MISFITS = (*_REFUSALS, "raised ZeroDivisionError")
#: How a plugin fails that computes the size of one input from the shape of another: a guess at shapes misled it.
_BEYOND = "raised DeviceFault"
#: How a failure begins that comes whatever the inputs are.
_UNDEFINED = "raised NameError"
#: Callbacks that see no inputs: an exception there is a defect, whatever was guessed.
_SEE_NO_INPUTS = {"attach_to_context", "clone", "destroy", "initialize", "set_tactic", "terminate"}
_STAGES = ("nothing", "created", "symbols", "shapes", "formats", "configured", "best", "all")


class Attempt(msgspec.Struct, frozen=True):
    """One case tried.

    Attributes:
        case: The case.
        reached: How far the plugin went with it, an index into ``_STAGES``.
        refusal: How it refused to go on.
        heard: What it said meanwhile; of plugins in C++ alone.
        place: The line of its code that did, such as ``plugin.py:12``; empty if it is not known.
        is_cut: Whether a callback came that must not be called.
        death: How it ended the process that tried.
        is_lacking: Whether that process ended in a call that this machine cannot answer.
        is_stuck: Whether it used what this machine lacks, or a name that is not defined. Other types and
            dimensions bring it no farther.
    """

    case: Case
    reached: int
    refusal: str = ""
    heard: Heard = Heard()
    place: str = ""
    is_cut: bool = False
    death: str = ""
    is_lacking: bool = False
    is_stuck: bool = False

    @property
    def ran(self) -> bool:
        """Return whether the plugin ran with the optimum shapes."""
        return self.reached >= _STAGES.index("best")

    @property
    def as_refused(self) -> Attempt:
        """Return the same as one that did not run, though it ran with the optimum shapes."""
        return structs.replace(self, reached=min(self.reached, _STAGES.index("configured")))

    @property
    def progress(self) -> tuple[int, int]:
        """Return how far it went: the stage, and in a stage the number of the line that refused it."""
        number = self.place.rpartition(":")[2]
        return self.reached, int(number) if number else 0

    @property
    def crashed(self) -> bool:
        """Return whether it ended the process that tried, and not by an assertion."""
        return bool(self.death) and not self.refusal

    @property
    def only_lacks(self) -> bool:
        """Return whether nothing refused it, and other inputs bring it no farther."""
        return self.is_stuck and not self.refusal

    @property
    def refuses_types(self) -> bool:
        """Return whether the plugin took the shapes, and no format and type for them."""
        return self.reached == _STAGES.index("shapes")

    @property
    def refuses_to_run(self) -> bool:
        """Return whether the plugin took all but the run itself."""
        return self.reached == _STAGES.index("configured")

    @property
    def refuses_configuration(self) -> bool:
        """Return whether the plugin refused when it was configured, be it for a network of known shapes."""
        return self.refusal.startswith("configure_plugin raised")

    @property
    def refusal_text(self) -> str:
        """Return how the plugin refused and what it said; empty if no other guess can go farther."""
        if self.is_cut:
            return ""
        if self.heard.errors or not (self.ran or self.only_lacks):
            return with_words(self.refusal or self.death or f"it came {self.reached} steps", self.heard)
        return ""

    @property
    def is_complete(self) -> bool:
        """Return whether the plugin ran with all shapes of the attempt."""
        return self.reached == len(_STAGES) - 1


def with_words(refusal: str, heard: Heard) -> str:
    """Return a refusal with what the plugin said."""
    said = heard.errors or heard.printed
    return f"{refusal}, saying {said!r}" if said else refusal


class Attempts:
    """Tries guesses for one plugin, in this process or, where ``careful``, each in a fork.

    A process that uses CUDA cannot be forked: there each guess is tried in this process.

    Each guess has its own deadline: thousands of forks take longer than a call may take.
    """

    def __init__(self, subject: Subject, *, careful: bool, ear: Ear | None = None) -> None:
        self._subject = subject
        self._careful = careful and not cuda_api.is_in_use()
        self._ear = ear

    def with_case(self, case: Case) -> Attempt:
        """Return how far the plugin goes with a case."""
        if not self._careful:
            return self.here(case)
        with mmap.mmap(-1, 1) as reached:  # it outlives a fork that dies
            outcome, death = self._walked(lambda: _outcome(self._subject.with_case(case), reached))
            if outcome is None:
                refusal = self._assertion(death, reached[0])
                return Attempt(case, reached[0], refusal, self._heard(), death=death, is_lacking=not death)
            refusal, place, is_cut, is_stuck = outcome
            return Attempt(case, reached[0], refusal, self._heard(), place, is_cut, is_stuck=is_stuck)

    def here(self, case: Case, *, in_networks: bool = True) -> Attempt:
        """Return the same, tried in this process without a fork.

        Where not ``in_networks``, output shapes are not asked for before the plugin runs.
        """
        flight_recorder.step()
        with mmap.mmap(-1, 1) as reached:
            refusal, place, is_cut, is_stuck = _outcome(self._subject.with_case(case), reached, in_networks=in_networks)
            return Attempt(case, reached[0], refusal, self._heard(), place, is_cut, is_stuck=is_stuck)

    def types_taken(self, case: Case, types: Sequence[str]) -> tuple[str, ...]:
        """Return a type for each input that the plugin takes in linear format behind those before; empty if none is."""
        subject = self._subject.with_case(case)
        taken_types, death = self._guarded(lambda: list(_types_taken(subject, types)))
        return () if death or taken_types is None or len(taken_types) < len(case.data_inputs) else tuple(taken_types)

    def creation(self, fields: Sequence[FieldValue]) -> tuple[bool, str, str]:
        """Return whether the creator makes a plugin of fields, how it refused, and the line of its code that did.

        How it refused includes what it said.
        """

        def created() -> tuple[bool, str, str]:
            plugin, failure = self._subject.try_create(fields)
            if failure is None:
                return plugin is not None, "", ""
            return plugin is not None, failure.what, stack.innermost(failure.traceback)

        result, death = self._guarded(created)
        is_made, how, place = (False, death, "") if result is None else result
        heard = self._heard()
        return is_made, with_words(how, heard) if how else "", place

    def refuse(self, case: Case, *shapes: Shapes) -> bool:
        """Return whether the plugin refuses any of these shapes; false for a defect."""
        result, death = self._walked(lambda: _is_refused(self._subject.with_case(case), shapes))
        return death == ASSERTED if result is None else result

    def take(self, case: Case, *shapes: Shapes) -> bool:
        """Return whether the plugin runs with all of these shapes."""
        result, _ = self._walked(lambda: _is_taken(self._subject.with_case(case), shapes))
        return bool(result)

    def _heard(self) -> Heard:
        return Heard() if self._ear is None else self._ear.taken()

    def _assertion(self, death: str, reached: int) -> str:
        """Return how a plugin in C++ refused by an assertion; empty if it did not. NVIDIA's own plugins exit.

        An abort in a run may be a damaged heap.
        """
        aborted = death == ASSERTED and reached < _STAGES.index("configured")
        is_asserted = self._subject.language is Language.CPP and (aborted or death == EXITED)
        return f"the process {death}" if is_asserted else ""

    def _walked(self, work: Callable[[], T]) -> tuple[T | None, str]:
        """Return the outcome.

        A fork that died in a call that this machine cannot answer has no outcome, and no fault.
        """
        try:
            return self._guarded(work)
        except NeedsDeviceError:
            return None, ""

    def _guarded(self, work: Callable[[], T]) -> tuple[T | None, str]:
        """Return what work returns, or how it ended the process that it was done in."""
        flight_recorder.step()
        if not self._careful:
            return work(), ""
        try:
            made: Any = apart(work)
        except CallbackFailedError as error:
            return None, error.failure.how
        return made, ""


def _outcome(subject: Subject, reached: mmap.mmap, *, in_networks: bool = True) -> tuple[str, str, bool, bool]:
    """Walk the plugin through its life and note how far it came.

    Return its refusal, the place of it, whether it was cut, and whether it is stuck.
    """
    before = len(subject.gate.failures)
    try:
        for reached[0], _ in enumerate(_steps(subject, in_networks=in_networks), start=1):
            pass
    except CallbackFailedError as error:
        place = stack.innermost(error.failure.stack)
        return _refusal(error, _kinds(subject, _MISFITS)), place, False, error.failure.how.startswith(_UNDEFINED)
    except SkippedCallbackError:
        return "", "", True, False
    except NotRun:
        return "", "", False, any(is_for_want(failure.error) for failure in subject.gate.failures[before:])
    return "", "", False, False


def _refusal(error: CallbackFailedError, kinds: tuple[str, ...]) -> str:
    """Return how a callback refused what was guessed; empty if the failure is a defect."""
    callback, how = error.failure.callback, error.failure.how
    return f"{callback} {how}" if how.startswith(kinds) and callback not in _SEE_NO_INPUTS else ""


def _kinds(subject: Subject, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Return the kinds of refusals. If inputs have unequal shapes, a fault beyond one is a refusal of their sizes."""
    faults = subject.device.faults
    is_beyond_an_input = bool(faults) and faults[-1].label.startswith("inputs[")
    return usual if have_equal_shapes(subject.case) or not is_beyond_an_input else (*usual, _BEYOND)


def _types_taken(subject: Subject, types: Sequence[str]) -> Iterator[str]:
    try:
        plugin = subject.create()
        asker = Asker(subject, plugin)
        _ask_for_output_types(subject, plugin, [types[0]] * len(subject.case.data_inputs))
        head: tuple[Form, ...] = ()
        for _ in subject.case.data_inputs:
            linear = {name: (subject.data_type(name), subject.trt.TensorFormat.LINEAR) for name in types}
            taken = next((name for name in types if asker.outcome(Question(head, linear[name])) is True), "")
            if not taken:
                return
            head = (*head, linear[taken])
            yield taken
    except (CallbackFailedError, SkippedCallbackError, NotRun):
        return


def _ask_for_output_types(subject: Subject, plugin: Any, types: Sequence[str]) -> None:
    """Ask for the type of the first output, as TensorRT does before it asks for formats."""
    input_types = tuple(subject.data_type(name) for name in types)
    try_type(subject, plugin, TypeQuestion(subject.caller.words.output_types, 0, input_types))


def _ask_for_shapes(subject: Subject, plugin: Any, asked: Iterable[Sequence[QueryInput]]) -> None:
    """Ask for output shapes as rules do."""
    if subject.interface in SYMBOLIC:
        for index, dims in itertools.product(output_indices(subject, plugin), asked):
            ask_output_dimensions(subject, plugin, index, dims)


def _steps(subject: Subject, *, in_networks: bool) -> Iterator[None]:
    """Walk the plugin through its life; each step that succeeds yields."""
    plugin = subject.create()
    yield
    asker = Asker(subject, plugin)
    if in_networks:
        _ask_for_shapes(subject, plugin, [network_shapes(subject)])
    yield
    if in_networks:
        _ask_for_shapes(subject, plugin, corner_shapes(subject.case))
    yield
    names = [entry.types[0] for entry in subject.case.data_inputs]
    _ask_for_output_types(subject, plugin, names)
    types = [subject.data_type(name) for name in names]
    combinations = accepted_combinations(asker, input_types=types, most=1)
    if not combinations:
        raise NotRun("no combination")
    yield
    driver = Driver(subject, plugin, combinations[0], stranger=True).prepare()
    yield
    driver.run(best_shapes(subject.case))
    yield
    for shapes in corner_shapes(subject.case):
        _run(driver, shapes)
    yield


def _run(driver: Driver, shapes: Shapes) -> None:
    """Run the plugin with shapes, and configure another for a network that has these shapes alone."""
    driver.run(shapes)
    subject = driver.subject
    alone = subject.with_case(narrowed(subject.case, shapes))
    Driver(alone, subject.create(), driver.combination, stranger=True).configure_for_build()


def _is_taken(subject: Subject, shapes: Sequence[Shapes]) -> bool:
    try:
        _run_each(subject, shapes)
    except (CallbackFailedError, NotRun, SkippedCallbackError):
        return False
    return True


def _is_refused(subject: Subject, shapes: Sequence[Shapes]) -> bool:
    try:
        _run_each(subject, shapes)
    except CallbackFailedError as error:
        return bool(_refusal(error, _kinds(subject, _REFUSALS)))
    except (NotRun, SkippedCallbackError):
        return False
    return False


def _run_each(subject: Subject, shapes: Sequence[Shapes]) -> None:
    driver = Driver(subject, subject.create(), default_combination(subject), stranger=True).prepare()
    for each in shapes:
        _run(driver, each)
