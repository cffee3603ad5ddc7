"""Judge a rule on a case of a plugin: send the child requests, and combine the answers into a verdict.

Theory: a verdict depends only on plugin, case, rule, level and seeds. So all answers are remembered, and the order in
    which items run does not matter. For a rule on a case:

1. The child runs a canonical drive once for each case. If a callback crashes or exceeds its deadline there, the rule
    that *owns* the callback fails. No other rule of the case calls this callback again.
2. A rule that requires a failed rule is BLOCKED, unless it passes as if the defect were fixed (``final_verdicts``).
3. The child judges the rule. If a callback fails where the rule needs its result, the callback's owner reports that.
    The owner must see a failure too, and must not require this rule. Otherwise this rule reports the failure.
4. A rule that drives an engine is judged with each seed. If the verdicts differ, the rule fails.
5. A fuzz rule is judged on many examples (``fuzz.search``), and their answers count as one. If it fails together with a
    rule without examples, that rule blocks it: the examples probably show the same defect.
6. An expected failure turns FAIL into XFAIL, and PASS and N/A into XPASS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.contract.interface import Interface
from harness.contract.thoroughness import Thoroughness
from harness.controller.application_run import ApplicationRun
from harness.controller.final_verdicts import FinalVerdicts
from harness.controller.fuzz.search import Fuzzing
from harness.controller.trial import Trial
from harness.protocol.messages import Request
from harness.protocol.requests import RequestKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.contract.catalogue import Catalogue
    from harness.contract.verdict import Result
    from harness.protocol.asked import Asking
    from harness.results.run_plan import CasePlan, PluginPlan


class Runner:
    """Judges the plugins of one module; ``deadline`` is in seconds for each request, None for that of the child."""

    def __init__(
        self,
        catalogue: Catalogue,
        isolation: Asking,
        seeds: Sequence[int],
        plugins: Mapping[str, PluginPlan],
        level: Thoroughness = Thoroughness.DEFAULT,
        fuzzing: Fuzzing | None = None,
        *,
        deadline: float | None = None,
    ) -> None:
        self._deadline = deadline
        self._fuzzing = fuzzing or Fuzzing()
        self._catalogue = catalogue
        self._isolation = isolation
        self._seeds = tuple(seeds)
        self._plugins = plugins
        self._level = level
        self._verdicts: dict[tuple[str, str], FinalVerdicts] = {}
        self._runs: dict[str, ApplicationRun] = {}

    def result(self, plugin_key: str, case_name: str, rule_id: str) -> Result:
        """Return the verdict of a rule on a case of a plugin.

        Raises:
            harness.contract.verdict.InternalError: The rule or the harness failed, not the plugin.
        """
        if self._plugins[plugin_key].interface is Interface.APPLICATION:
            return self._run_of(plugin_key, case_name).result(self._catalogue[rule_id])
        key = (plugin_key, case_name)
        if key not in self._verdicts:
            plugin = self._plugins[plugin_key]
            request = self._request(plugin.case(case_name), plugin_key)
            trial = Trial(self._catalogue, self._isolation, self._seeds, plugin, request, self._fuzzing)
            self._verdicts[key] = FinalVerdicts(trial)
        return self._verdicts[key].result(self._catalogue[rule_id])

    def forget(self, plugin_key: str, case_name: str) -> None:
        """Forget the verdicts on a case; ``result`` would judge it again, with the same verdicts."""
        self._verdicts.pop((plugin_key, case_name), None)
        self._runs.pop(plugin_key, None)

    def _run_of(self, key: str, case_name: str) -> ApplicationRun:
        if key not in self._runs:
            case = self._plugins[key].case(case_name)
            request = self._request(case, key).asking(RequestKind.APPLICATION)
            self._runs[key] = ApplicationRun(self._catalogue, self._isolation, case, request)
        return self._runs[key]

    def _request(self, case: CasePlan, key: str) -> Request:
        return Request(
            "",
            key,
            case.name,
            self._seeds[0],
            self._level.number,
            deadline=self._deadline,
            inferred=case.plain,
        )
