"""Implement MkDocs' hooks: add the pages outside docs/ and the pages of rules, and rewrite links.

Pictures that follow the reader's colours (``class="themed"``) become part of their page, so that they have the page's
colours.
"""

import pathlib
import re

import site_links
from mkdocs.structure.files import File
from pages import rule_pages
from rule_references import RuleReferences

ROOT = pathlib.Path(__file__).resolve().parent.parent
_references = RuleReferences()
_IMAGE = re.compile(r'<img [^>]*src="((?:\.\./)*[\w/]+\.svg)"[^>]*>')


def on_config(config):
    """Add the extension that turns ids of rules into links."""
    _references.ids = frozenset(rule_pages.ids())
    config.markdown_extensions.append(_references)
    return config


def on_files(files, config):
    """Add the pages outside docs/, and the pages of rules."""
    pages = {there: (ROOT / path).read_text(encoding="utf-8") for path, there in site_links.OUTSIDE.items()}
    for path, text in {**pages, **rule_pages.pages()}.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown, page, config, files):  # noqa: ARG001 - the signature of the hook
    """Return the page's Markdown with links that work on the site."""
    _references.page = page.file.src_uri
    return markdown if rule_pages.is_generated(page.file.src_uri) else site_links.moved(markdown, page.file.src_uri)


def on_page_content(html, page, config, files):  # noqa: ARG001 - the signature of the hook
    """Return the page's HTML with the texts of themed pictures in place of their images."""
    folder = (ROOT / "docs" / page.file.src_uri).parent
    return _IMAGE.sub(lambda image: _picture(image, folder), html)


def _picture(image, folder):
    text = (folder / image[1]).read_text(encoding="utf-8")
    return f'<div class="picture">{text}</div>' if 'class="themed"' in text else image[0]
