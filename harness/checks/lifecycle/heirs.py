"""Compare a plugin with its heirs: its clones, and plugins made from its stored data.

Theory. An heir that loses a parameter computes with the default. If the case has the default value, the loss has no
effect. So plugins with other values of each field are made, too, and each is compared with its own heir. That needs no
reference, because both must compute the same. A value is skipped if the creator refuses it, or if the plugin does not
run at the case's shapes. The values of a field are tried until one changes the plugin's behaviour. Heirs are made when
the plugin is configured, as in a build, and not yet initialized.
"""

from __future__ import annotations

import contextlib
import itertools
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import structs

from harness.checks.fields.creating import create_from
from harness.checks.fields.other_values import other_values
from harness.checks.fields.trials import no_trial, trial
from harness.checks.formats.choices import default_combination
from harness.checks.formats.formats import Asker, Question
from harness.checks.lifecycle.equivalence import BEHAVIOUR
from harness.checks.lifecycle.static_answers import differences, portrait
from harness.checks.running.driver import Driver
from harness.checks.running.runs import LENIENT, difference_of
from harness.checks.sampling.sampling import best_shapes
from harness.contract.finding import CallbackFailedError, NotRun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from harness.checks.lifecycle.static_answers import Portrait
    from harness.checks.running.driver import Run
    from harness.subject.fields import FieldValue
    from harness.subject.subject import Subject

    #: Makes an heir from a plugin.
    Make: TypeAlias = Callable[[Subject, Any], Any]

#: The most values of a field that are tried until one changes the plugin's behaviour.
_TRIED = 3


def cloned(subject: Subject, plugin: Any) -> Any:
    """Return a clone of a plugin."""
    return subject.clone(plugin)


def remade(subject: Subject, plugin: Any) -> Any:
    """Return the plugin that the creator makes from a plugin's stored data."""
    return subject.deserialize(subject.serialize(plugin))


def heirs_of_others(subject: Subject, make: Make) -> Iterator[tuple[str, str]]:
    """Yield the changed field of each plugin with another value, and how its heir differs from it; empty if alike.

    Raises:
        NotRun: Two plugins made from the same fields differ.
    """
    for candidates in other_values(subject):
        for fields, changed in itertools.islice(candidates, _TRIED):
            original = original_of(subject, fields, make)
            if original is not None:
                yield changed, original.unlike_its_heir(make)
                if original.is_unusual:
                    break


def original_of(subject: Subject, fields: Sequence[FieldValue], *makes: Make) -> Original | None:
    """Make a plugin from fields, with its heirs, and run it; return None if that fails."""
    plugin = create_from(subject, fields).plugin
    if plugin is None:
        return None
    with contextlib.suppress(CallbackFailedError, NotRun), trial(subject, fields):
        return Original(subject, plugin, fields, makes)
    return None


class Original:
    """A plugin that was configured and asked, from which heirs were made, and that then ran.

    Attributes:
        answers: The output types and shapes that it reported, by question.
        run: Its run.
    """

    def __init__(self, subject: Subject, plugin: Any, fields: Sequence[FieldValue], makes: Sequence[Make]) -> None:
        """Configure, ask and run a new plugin, and make its heirs. A failure to make an heir is stored.

        Raises:
            CallbackFailedError: A callback failed.
            NotRun: The plugin refuses the combination of types and formats that plugins of the case run with.
        """
        self._subject, self._fields = subject, fields
        self._combination = default_combination(subject)
        self._driver = self._configured(plugin)
        self.answers = portrait(subject, plugin, BEHAVIOUR)
        with no_trial():
            self._heirs = {make: _made(make, subject, plugin) for make in makes}
        size = self._driver.workspace_size(best_shapes(subject.case))
        self._conditions = structs.replace(LENIENT, workspace=size)
        self.run = self._run_of(self._driver)

    @property
    def is_unusual(self) -> bool:
        """Return whether the plugin differs from a plugin with the case's fields, or that plugin does not run."""
        subject = self._subject
        usual = subject.once("the usual original", lambda: original_of(subject, subject.fields))
        return usual is None or bool(self._difference(usual.answers, usual.run))

    def unlike_its_heir(self, make: Make) -> str:
        """Return in words how the heir that ``make`` made differs from the plugin; empty if it does not.

        Raises:
            NotRun: Two plugins made from the same fields differ, too.
        """
        heir = self._heirs[make]
        try:
            if isinstance(heir, CallbackFailedError):
                raise heir
            answers = portrait(self._subject, heir, BEHAVIOUR)
            if differences(self.answers, answers) and not differences(self._answers_of_a_new_one(), answers):
                answers = self.answers  # configuration changes the answers, which other rules report
            unlike = self._difference(answers, self._run_of(self._driver.of(heir)))
        except CallbackFailedError as error:
            unlike = str(error)
        twin = original_of(self._subject, self._fields) if unlike else None
        if twin is not None and self._difference(twin.answers, twin.run):
            raise NotRun("two plugins of the same fields do not do the same")
        return unlike

    def _answers_of_a_new_one(self) -> Portrait:
        plugin = create_from(self._subject, self._fields).plugin
        return self.answers if plugin is None else portrait(self._subject, plugin, BEHAVIOUR)

    def _configured(self, plugin: Any) -> Driver:
        asker, forms = Asker(self._subject, plugin), self._combination.forms
        if not all(asker.ask(Question(forms[:pos], form)) for pos, form in enumerate(forms)):
            raise NotRun(f"it does not accept {self._combination}")
        return Driver(self._subject, plugin, self._combination, stranger=True).configure_for_build()

    def _run_of(self, driver: Driver) -> Run:
        if not driver.caller.is_ready(driver.gate, driver.plugin):
            driver.initialize(bare=True)
        return driver.run(best_shapes(self._subject.case), conditions=self._conditions).insist()

    def _difference(self, answers: Portrait, run: Run) -> str:
        for question, expected, observed in differences(self.answers, answers):
            return f"{question}: {observed} instead of {expected}"
        return str(difference_of(self._driver, run, self.run) or "")


def _made(make: Make, subject: Subject, plugin: Any) -> Any:
    """Return an heir, or the failure of the callback that had to make it."""
    try:
        return make(subject, plugin)
    except CallbackFailedError as error:
        return error
