"""Write real_bugs.md: real bugs of TensorRT plugins, each with a small plugin and its rule."""

from harness.contract.explaining import witnesses

FILES = {witness.name: f"../{witness.file}" for witness in witnesses.witnesses()}


def page(bugs):
    """Return the page about these bugs."""
    caught = [bug for bug in bugs if bug.caught]
    uncaught = [bug for bug in bugs if bug.uncaught]
    lines = [
        "# Real bugs, and what catches them",
        "",
        f"Plugins for TensorRT had these {len(bugs)} bugs; {len(caught)} are caught. Each caught bug has a small",
        "plugin with the bug (a witness), and a rule that reports it. The links lead to threads of users with the bug.",
        "Bugs without a link were found by reading plugins and TensorRT's Python bindings. Most threads are about C++,",
        "which has the same contract.",
        "",
        "## Caught",
        "",
        "| bug | witness: rule | met in |",
        "|---|---|---|",
        *(_row(bug, _witnesses(bug.caught)) for bug in caught),
        "",
        "## Not caught",
        "",
        "| bug | why not | met in |",
        "|---|---|---|",
        *(_row(bug, bug.uncaught) for bug in uncaught),
    ]
    return "\n".join(lines) + "\n"


def _row(bug, middle):
    return f"| {bug.number}. {bug.bug} | {middle} | {_links(bug.links)} |"


def _witnesses(caught):
    return "<br>".join(f"[{name}]({FILES[name]}): {rule}" for name, rule in caught.items())


def _links(links):
    return " ".join(f"[{_short(link)}]({link})" for link in links)


def _short(link):
    """Return ``#1234`` for a thread of NVIDIA/TensorRT, and ``repository#1234`` for any other."""
    *_, owner, repository, _, number = link.split("/")
    return f"#{number}" if (owner, repository) == ("NVIDIA", "TensorRT") else f"{repository}#{number}"
