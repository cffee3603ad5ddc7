"""Implement MkDocs' hooks: add the pages outside docs/ and the pages that are made from code, and rewrite links."""

import pathlib

import site_links
from mkdocs.structure.files import File
from pages import generated, rule_pages
from rule_references import RuleReferences

ROOT = pathlib.Path(__file__).resolve().parent.parent
_references = RuleReferences()


def on_config(config):
    """Add the extension that turns ids of rules into links."""
    _references.ids = frozenset(rule_pages.ids())
    config.markdown_extensions.append(_references)
    return config


def on_files(files, config):
    """Add the pages outside docs/, the pages of rules, and the other pages that are made from code."""
    pages = {there: (ROOT / path).read_text(encoding="utf-8") for path, there in site_links.OUTSIDE.items()}
    made = {path: make() for path, make in generated.PAGES.items()}
    for path, text in {**pages, **made, **rule_pages.pages()}.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown, page, config, files):  # noqa: ARG001 - the signature of the hook
    """Return the page's Markdown with links that work on the site."""
    _references.page = page.file.src_uri
    if rule_pages.is_generated(page.file.src_uri):
        return markdown
    return site_links.moved(markdown, page.file.src_uri)
