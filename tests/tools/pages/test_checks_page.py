"""The map of the checks."""

from tools.pages import checks_page


def test_each_folder_has_its_purpose_and_its_modules():
    text = checks_page.page()
    for folder in (file.parent for file in checks_page.CHECKS.glob("*/__init__.py")):
        assert f"| [`{folder.name}`](#{folder.name}) | " in text
        assert f"\n## {folder.name}\n\n* `" in text
    assert text.count(". |\n") == len(list(checks_page.CHECKS.glob("*/__init__.py")))
