"""Words that make a sentence hard to read at first sight, each with what to write instead; checks of proselint."""

from proselint.registry.checks import Check, Padding, types
from proselint.registry.checks.engine import Fancy

#: What is looked for, by the check's name: a regular expression of whole words, and the advice.
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
}
#: Checks of proselint itself that find slips in technical text, and no matters of taste.
OF_PROSELINT = ("malapropisms", "misc.illogic", "redundancy.ras_syndrome")

CHECKS = tuple(
    Check(
        check_type=types.ExistenceSimple(pattern=Padding.STRICT_WORDS_IN_TEXT.format(pattern)),
        path=f"plain.{name}",
        message=f"'{{}}': {advice}",
        engine=Fancy(),
    )
    for name, (pattern, advice) in WORDS.items()
)
