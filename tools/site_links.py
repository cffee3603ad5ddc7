"""Rewrite links when the site is built: in the repository they are written for the code host.

There a link is the path of a file relative to the page's file. On the site, pages may have other paths. If the file is
no page of the site, only the text of the link remains.
"""

import posixpath
import re

#: Pages of the site outside ``docs/``, by their path in the repository.
OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
#: Pages that only the site has, by the file or folder of the repository that they are made from.
MADE_FROM = {
    "tests/data/surfaces": "contributing/api_parity.md",
    "harness/checks": "contributing/checks.md",
    "tests/data/contract.json": "contributing/contract_coverage.md",
    "tests/data/detection.json": "contributing/detection.md",
    "tests/data/kill_matrix.json": "contributing/kill_matrix.md",
}
_DOCS = "docs/"
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
_FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)


def place(path):
    """Return the path on the site of a file of the repository; None if the site does not have it."""
    if page := OUTSIDE.get(path) or MADE_FROM.get(path):
        return page
    return path.removeprefix(_DOCS) if path.startswith(_DOCS) else None


def origin(page):
    """Return the path in the repository of a page of the site; the page's links are relative to it."""
    return next((path for path, on_site in OUTSIDE.items() if on_site == page), _DOCS + page)


def moved(text, page, source=""):
    """Return a text with links that work in a page of the site; fenced text is unchanged.

    Args:
        text: Markdown.
        page: The page's path on the site.
        source: The file of the repository that has the text; empty for the page's own file.
    """
    pieces, end, folder = [], 0, posixpath.dirname(source or origin(page))

    def link(match):
        return _link(match, folder, posixpath.dirname(page) or ".")

    for fence in _FENCE.finditer(text):
        pieces += [_LINK.sub(link, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*pieces, _LINK.sub(link, text[end:])])


def _link(match, folder, site_folder):
    mark, words, target = match.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return match[0]
    path, hash_, anchor = target.partition("#")
    page = place(posixpath.normpath(posixpath.join(folder, path)))
    return words if page is None else f"{mark}[{words}]({posixpath.relpath(page, site_folder)}{hash_}{anchor})"
