#!/usr/bin/env python3
"""Count the lines of the README and the words of the pages for users, as the site's navigation lists them.

    python tools/page_sizes.py

Spaces separate words; code and transcripts count. Tables that tools/generate_pages.py writes do not count. The pages
below *Contributors* and the changelog do not count, either.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
#: Pages that tools generate as a whole.
GENERATED = {"docs/real_bugs.md"}
_TABLE = re.compile(r"<!-- generated: .*?<!-- end -->", re.DOTALL)


def pages_for_users():
    """Return the files of the pages for users, the README first."""
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2].partition("  - Contributors:")[0]
    named = [ROOT / "docs" / name for name in re.findall(r"[\w/]+\.md", nav)]
    return [ROOT / "README.md", *(file for file in named if file.is_file())]


def words(file):
    """Return the number of words of a page, without its generated tables."""
    if file.relative_to(ROOT).as_posix() in GENERATED:
        return 0
    return len(_TABLE.sub("", file.read_text(encoding="utf-8")).split())


def lines(file):
    """Return the number of lines of a page."""
    return len(file.read_text(encoding="utf-8").splitlines())


def main():
    """Print the size of each page, and the sum."""
    for file in pages_for_users():
        print(f"{words(file):6} words {lines(file):4} lines  {file.relative_to(ROOT)}")
    print(f"{sum(map(words, pages_for_users())):6} words in all")


if __name__ == "__main__":
    main()
