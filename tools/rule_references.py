"""Turn the ids of rules in the site's pages into links; the code host shows plain ids."""

import posixpath
from xml.etree.ElementTree import Element

from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor

_ID = r"\b([A-Z][A-Z0-9]{1,5}-[0-9]{3})\b"


class RuleReferences(Extension):
    """An extension of Python-Markdown.

    Attributes:
        ids: The ids of all rules.
        page: The path of the page that is converted now.
    """

    def __init__(self):
        super().__init__()
        self.ids = frozenset()
        self.page = ""

    def extendMarkdown(self, md):  # noqa: N802 - Python-Markdown's name
        """Register the processor of ids, which leaves out code, links and headings."""
        md.inlinePatterns.register(_Reference(self, md), "rule_references", 50)


class _Reference(InlineProcessor):
    ANCESTOR_EXCLUDES = ("a", "h1", "h2", "h3", "h4")

    def __init__(self, known, md):
        super().__init__(_ID, md)
        self.known = known

    def handleMatch(self, m, data):  # noqa: ARG002, N802 - Python-Markdown's signature
        """Return the link with its range, or Nones if the rule does not exist or this is the rule's page."""
        target = f"rules/{m[1]}.md"
        if m[1] not in self.known.ids or target == self.known.page:
            return None, None, None
        link = Element("a", href=posixpath.relpath(target, posixpath.dirname(self.known.page) or "."))
        link.text = m[1]
        return link, m.start(0), m.end(0)
