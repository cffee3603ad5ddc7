#!/usr/bin/env python3
"""Count the lines of the README and the words of the pages for users, as the site's navigation lists them.

    python tools/page_sizes.py

Spaces separate words; code and transcripts count. The pages below *Contributors*, the changelog and
the pages that only the site has do not count.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent


def pages_for_users():
    """Return the files of the pages for users, the README first."""
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2].partition("  - Contributors:")[0]
    named = [ROOT / "docs" / name for name in re.findall(r"[\w/]+\.md", nav)]
    return [ROOT / "README.md", *(file for file in named if file.is_file())]


def words(file):
    """Return the number of words of a page."""
    return len(file.read_text(encoding="utf-8").split())


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
