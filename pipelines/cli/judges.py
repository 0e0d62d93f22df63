"""Choose a judge by its name."""

from pathlib import Path

from pipelines.errors import UsageError
from pipelines.judging.labels import LabelsJudge
from pipelines.judging.lexical import LexicalJudge
from pipelines.judging.verdict import Judge


def choose(name: str) -> Judge:
    """Return the judge called `lexical` or `labels:FILE`; raises `UsageError` for any other name."""
    if name == "lexical":
        return LexicalJudge()
    if name.startswith("labels:"):
        path = Path(name.removeprefix("labels:")).expanduser()
        if not path.is_file():
            raise UsageError(str(path), "there is no such file of labels", "Check the path")
        with path.open("rb") as lines:
            return LabelsJudge.from_lines(lines, str(path))
    raise UsageError(f"judge {name!r}", "there is none of that name", "There are: lexical, labels:FILE")
