"""Define checks for proselint that find words and sentences which a reader has to read twice, each with advice."""

import re

from proselint.registry.checks import Check, CheckResult, Padding, types
from proselint.registry.checks.engine import Fancy

MOST_WORDS = 20

#: By the check's name: a regular expression that matches whole words, and the advice.
WORDS = {
    "of_which": (r"(?:of which|of whom)", "begin a new sentence, or name the thing again"),
    "such": (r"such(?! as\b)", "write 'these', 'this', 'like this', or name the thing"),
    "whoever": (r"(?:whoever|whomever|whatever|whichever|wherever)", "name the actor or the thing"),
    "nobody": (r"(?:nobody|nobody's|no one)", "name the actor: 'the plugin does not', 'no rule'"),
    "tell": (r"(?:tells?|telling|told)", "write 'reports', 'says', 'shows' or 'distinguishes'"),
    "stands": (r"(?:lies|lie|lay|stands?(?! for\b|[-_])|stood(?! for\b)|lying)", "write 'is', 'are' or 'was'"),
    "what_there_is": (r"(?:what it takes|what there is|that there is|there is nothing)", "write a noun"),
    "stilted": (r"(?:for want of|lest|hence|thereof|therein)", "write plain words"),
    "twice": (r"(the|a|an|of|is|are|to|in|and|it|not) \1", "a word is written twice"),
    "of_what": (r"(?:of|from|for|by|than) (?:whose|what)", "write a noun"),
    "nothing": (
        r"nothing (?:is|was|are|has|had|can|could|may|does|of|but|that|here)",
        "write 'no' and a noun",
    ),
    "stand_for": (r"(?:stands? for|stood for)", "write 'is' or 'means'"),
    "is_there": (r"(?:is|are|was|were|be) there(?= to\b| for\b|[.,;:])", "write 'exists', or the purpose"),
    "another_than": (
        r"(?:(?:an)?other \w+(?: \w+)? than|otherwise than)",
        "write 'different from', 'if not' or 'or else'",
    ),
    "of_ours": (r"of (?:ours|its own|theirs|one's own|our own|their own|yours)", "write 'own', or name the owner"),
    "comes_of": (r"(?:comes?|came|made|makes?) (?:of it|of this|of that|again|anew)", "write 'results' or 'creates'"),
    "so_does": (r"(?:so does|so do|and so (?:is|are|it is)|neither is|nor is|but for)", "write 'also' or 'except'"),
    "each_a": (r"(?:lines?|rows?|pages?|items?|seconds?|tests?|entry|column|box|dot) an? \w+", "write 'one for each'"),
    "extent": (r"(?<!_)extents?(?!_| \|)", "write 'dimension', or 'length' of an axis"),
    "else_than": (r"(?:some|any|every|no)thing else than", "write 'differs from', 'is not' or name the thing"),
    "somebody": (r"some(?:body|one)(?:'s)?", "name the actor: 'the user', 'the plugin', 'a process'"),
    "own_words": (r"(?:mend(?:s|ed|ing)?|mishaps?|ma[dk]es? no sense)", "write 'fix', 'failure' or 'usage error'"),
    "the_one": (
        r"(?:the|this|that|another|other|new|real|right|same|first|last|old) ones?(?![ -]\w+ed\b)",
        "repeat the noun",
    ),
}
#: The checks of proselint itself that find errors in technical text; its other checks are matters of taste.
OF_PROSELINT = ("malapropisms", "misc.illogic", "redundancy.ras_syndrome")

#: The mark at the end of a docstring or message: a sentence does not go on behind it.
END = "\N{PILCROW SIGN}"
#: The beginning of an entry under ``Args:`` or ``Attributes:``; marks replace its name, which is code.
_ENTRY = r"\n {8,}#+: "
#: The beginnings of list items, of parameters (``  name: What it is.``) and of commands, which begin a sentence.
_ITEM = r"\n[ \t]*(?:[*-]|\d+\.)[ \t]|\n[ \t]+\S+:[ \t]|\n[ \t]+(?:python|pytest|ruff) "
_BLOCK = re.compile(rf"{END}|\n[ \t]*\n|\||{_ITEM}|\n#+ |{_ENTRY}")
_SENTENCE = re.compile(r"""(?<=[.!?])["')\]*]*\s+(?=["'(\[*`#A-Z0-9])|(?<=:)\s*\n""")
_WORD = re.compile(r"\S*[A-Za-z0-9#]\S*")


def long_sentences(text, check):
    """Yield each sentence with more than twenty words; a span of code, or a list of spans, counts as one word."""
    for begin, block in _pieces(text, 0, _BLOCK):
        for start, sentence in _pieces(block, begin, _SENTENCE):
            words = list(_WORD.finditer(sentence))
            if len(words) > MOST_WORDS:
                span = (start + words[0].start(), start + words[-1].end())
                shown = " ".join(word[0] for word in words[:5])
                yield CheckResult(check.path, check.message.format(shown, len(words)), span, None)


def _pieces(text, offset, separator):
    """Yield the pieces of a text between separators, each with its position."""
    begin = 0
    for match in separator.finditer(text):
        yield offset + begin, text[begin : match.start()]
        begin = match.end()
    yield offset + begin, text[begin:]


CHECKS = (
    Check(
        check_type=long_sentences,
        path="plain.length",
        message=f"'{{}} ...' has {{}} words: make sentences of at most {MOST_WORDS} words",
    ),
    *(
        Check(
            check_type=types.ExistenceSimple(pattern=Padding.STRICT_WORDS_IN_TEXT.format(pattern)),
            path=f"plain.{name}",
            message=f"'{{}}': {advice}",
            engine=Fancy(),
        )
        for name, (pattern, advice) in WORDS.items()
    ),
)
