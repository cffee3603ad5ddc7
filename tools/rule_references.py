"""Link the ids of rules in pages of the site to the rules' pages; the code host shows text."""

import posixpath
from xml.etree.ElementTree import Element

from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor

_ID = r"\b([A-Z][A-Z0-9]{1,5}-[0-9]{3})\b"


class RuleReferences(Extension):
    """Knows all ids, and the page that is being made."""

    def __init__(self):
        super().__init__()
        self.ids = frozenset()
        self.page = ""

    def extendMarkdown(self, md):  # noqa: N802 - Python-Markdown's name
        """Look for ids in everything but code, links and headings."""
        md.inlinePatterns.register(_Reference(self, md), "rule_references", 50)


class _Reference(InlineProcessor):
    ANCESTOR_EXCLUDES = ("a", "h1", "h2", "h3", "h4")

    def __init__(self, known, md):
        super().__init__(_ID, md)
        self.known = known

    def handleMatch(self, m, data):  # noqa: ARG002, N802 - Python-Markdown's signature
        """Return the link, or nothing if the rule does not exist or this is its page."""
        there = f"rules/{m[1]}.md"
        if m[1] not in self.known.ids or there == self.known.page:
            return None, None, None
        link = Element("a", href=posixpath.relpath(there, posixpath.dirname(self.known.page) or "."))
        link.text = m[1]
        return link, m.start(0), m.end(0)
