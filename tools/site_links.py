"""Move links when the site is built: they are written for the code host, and work on the site.

A page names a file of the repository by its path from the page. On the site the page may have another path. If the
file is no page, only the text of the link remains.
"""

import posixpath
import re

#: Pages of the site outside ``docs/``, by their path in the repository.
OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "conformance/RULES.md": "rules/all.md",
}
_DOCS = "docs/"
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
_FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)


def place(path):
    """Return the path of a repository's file on the site; None if it is not there."""
    if path in OUTSIDE:
        return OUTSIDE[path]
    return path.removeprefix(_DOCS) if path.startswith(_DOCS) else None


def origin(page):
    """Return the path in the repository of a page of the site, from which its links start."""
    return next((path for path, there in OUTSIDE.items() if there == page), _DOCS + page)


def moved(text, page, source=""):
    """Return a text with its links as a page of the site needs them; fenced text is unchanged.

    Args:
        text: Markdown.
        page: The page's path on the site.
        source: The file of the repository that the text was taken from, if that is not the page's own.
    """
    pieces, end, folder = [], 0, posixpath.dirname(source or origin(page))

    def link(found):
        return _link(found, folder, posixpath.dirname(page) or ".")

    for fence in _FENCE.finditer(text):
        pieces += [_LINK.sub(link, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*pieces, _LINK.sub(link, text[end:])])


def _link(found, folder, there):
    mark, words, target = found.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return found[0]
    path, hash_, anchor = target.partition("#")
    page = place(posixpath.normpath(posixpath.join(folder, path)))
    return words if page is None else f"{mark}[{words}]({posixpath.relpath(page, there)}{hash_}{anchor})"
