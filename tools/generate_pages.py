#!/usr/bin/env python3
"""Write the tables and pages for users that are generated from the code: python tools/generate_pages.py."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))  # tests are not an installed package

from pages import generated

for path, text in generated.pages_for_users().items():
    (generated.ROOT / path).write_text(text)
