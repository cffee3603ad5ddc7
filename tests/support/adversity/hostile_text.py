"""A plugin, for the stub judge, that says what no reader must obey."""

#: What terminals, browsers, XML, Markdown, and services that run jobs obey, or turn around.
PLUGIN = r"""
import logging, os, sys, warnings
from harness.contract.wording import encoded

EVIL = (
    "\x1b[31m\x1b]0;owned\x07 \x9b31m \x00 \ud800 \ufffe \u202egnp.exe\u2066 \u200f\u061c\u2028 \r"
    "<script>planted(1)</script><img src=x onerror=planted(1)> ]]> --> &amp; \" ' </pre></style> {{7*7}} ` | **b** "
    "[a](http://planted.example) <http://planted.example>\n"
    "::error file=planted,line=1::planted\n \t ::set-output name=planted::b\n##[error]planted ##[endgroup]\n"
    "##vso[task.setvariable variable=planted]b\n```\n# planted\n| planted | b |\n%0A::error::planted"
)
LONG = EVIL + "x" * 1_000_000
PLUGINS = {f"{encoded(EVIL)}/{encoded(EVIL)}/1": [case("one")]}

def cfg_001():
    print(LONG)
    sys.stderr.write(EVIL)
    os.write(1, b"\xff\xfe\n::error::planted by bytes\n" + EVIL.encode("utf-8", "surrogatepass"))
    warnings.warn(EVIL)
    logging.getLogger("plugin").warning(EVIL)
    return LONG
def enq_001(): return not_run(EVIL)
def enq_002(): raise ValueError(LONG)
def fmt_001(): return Answer(Kind.MET, mishap=CallbackFailure("enqueue", EVIL, where=EVIL, stack=EVIL))
"""
