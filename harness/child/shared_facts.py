"""Share facts that a rule has found about a plugin on a case with rules judged later in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.contract.verdict import Kind
from harness.protocol.requests import RequestKind
from harness.subject.subject import Facts

if TYPE_CHECKING:
    from harness.contract.verdict import Answer
    from harness.protocol.messages import Request


class SharedFacts:
    """Facts about one plugin on one case, by seed; a request about another case replaces them.

    Each rule receives a copy. The copy is kept with the rule's additions only if the rule was judged without a failure.
    So no rule uses facts about a plugin that was failing.
    """

    def __init__(self) -> None:
        self._circumstances: Request | None = None
        self._by_seed: dict[int, Facts] = {}

    def lent_to(self, request: Request) -> Facts:
        """Return a copy of the facts for a rule; none for other requests, which may measure the plugin."""
        if request.kind is not RequestKind.RULE:
            return Facts()
        circumstances = request.circumstances
        if circumstances != self._circumstances:
            self._circumstances, self._by_seed = circumstances, {}
        return Facts(self._by_seed.get(request.seed, {}))

    def keep(self, request: Request, facts: Facts, answer: Answer) -> None:
        """Keep the facts of a rule that has answered, unless it failed or was not judged."""
        if request.kind is RequestKind.RULE and answer.kind is Kind.JUDGED and not answer.fails:
            self._by_seed[request.seed] = facts
