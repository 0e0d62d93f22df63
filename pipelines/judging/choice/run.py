"""Makes the judge that a text names."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from pipelines.errors import UsageError
from pipelines.io import judge_files
from pipelines.judging.labels import LabelsJudge
from pipelines.judging.lexical import LexicalJudge
from pipelines.judging.settings import Mode, read_settings
from pipelines.judging.verdict import Judge

CHOICES = "lexical (offline, by shared words), openai (a language model), labels:FILE (people's votes)"


def choose_judge(
    text: str,
    *,
    home: Path,
    environment: Mapping[str, str],
    warn: Callable[[str], None],
    anew: bool = False,
) -> Judge:
    """Return the judge that a text names: `lexical`, `openai` or `labels:FILE`.

    `home` is where probes are stored; `warn` is told what a person should hear of. With `anew` the
    judge takes no answer that was given before, as drift and noise must have it: answers in batches are found again by
    their content.

    Raises:
        UsageError: the text names no judge, or a setting is missing, or the model has no price.
        NightcheckError: a file cannot be read.
    """
    kind, _, rest = text.strip().partition(":")
    if kind == "lexical" and not rest:
        return LexicalJudge()
    if kind == "labels" and rest:
        return LabelsJudge.from_lines(judge_files.read_lines(Path(rest)), rest)
    if kind == "openai" and not rest:
        from pipelines.judging.endpoint.run import openai_judge  # noqa: PLC0415 - the client takes a second to import

        settings = read_settings(environment)
        judge = openai_judge(replace(settings, mode=Mode.LIVE) if anew else settings, home=home, warn=warn)
        return judge.past_the_store() if anew else judge
    raise UsageError(
        thing=f"judge {text!r}", reason="there is none of that name", next_step=f"Choose one of: {CHOICES}"
    )
