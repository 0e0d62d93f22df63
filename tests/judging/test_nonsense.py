"""What no endpoint should send ends as a verdict or a status that can be stored, tonight and when it is run again."""

import json
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from pipelines.io.judge_files import AnswerJournal
from pipelines.io.warehouse import Warehouse
from pipelines.judging.openai import OpenAIJudge
from pipelines.judging.run import judge_sample, read_sample
from pipelines.night.run import Plan, draw
from tests.judging.build import a_judge, judged
from tests.judging.nights import DAYS, RETRIEVALS, ingest
from tests.judging.scripted_endpoint import Call, Garbage, Reply, Said, completion, scripted, verdict

NOW = datetime(2026, 11, 30, tzinfo=UTC)
DAY = DAYS[0]
TOO_MANY = 10**30


def nonsense(call: Call) -> Reply:
    """Answer in the required form, with halves of characters and more tokens than there are."""
    said = verdict(call.passages) | {"need": "half a \ud83d"}
    for passage in said["passages"]:
        passage["evidence"] = passage["evidence"] or "\ude00"
    body = completion(Said(text=json.dumps(said), prompt_tokens=TOO_MANY)) | {"model": "m-\udfff", "id": "\ud800"}
    return Garbage(body=json.dumps(body).encode())


def drawn(folder: Path, judge: OpenAIJudge) -> Warehouse:
    """Return a warehouse with a sample to be judged."""
    warehouse = ingest(folder, 0)
    draw(warehouse, DAY, judge, Plan(environments=("production",), seed="s", cap=None))
    return warehouse


def test_half_a_character_and_endless_counts_are_stored(tmp_path: Path) -> None:
    """The character is replaced, the count is unknown, and the verdict stands."""
    with scripted(nonsense) as endpoint:
        judge = a_judge(endpoint.base_url, answers_of=partial(AnswerJournal, tmp_path))
        warehouse = drawn(tmp_path, judge)
        found = judge_sample(warehouse, DAY, judge, now=lambda: NOW)

    assert found.statuses == {"judged": RETRIEVALS}
    with warehouse.read() as connection:
        rows = connection.sql("select distinct need, response_model, prompt_tokens from night.verdicts").fetchall()
        evidence = connection.sql(
            "select distinct evidence from night.passage_verdicts where query_grade = 0"
        ).fetchall()
    assert (rows, evidence) == ([("half a ?", "m-?", 0)], [("?",)])


def test_what_an_earlier_run_kept_of_them_ends_no_later_one(tmp_path: Path) -> None:
    """Half a character in a kept text is replaced then; a kept count that cannot be stored is asked for again."""
    with scripted(nonsense) as endpoint:
        judge = a_judge(endpoint.base_url, answers_of=partial(AnswerJournal, tmp_path))
        warehouse = drawn(tmp_path, judge)
        judged(judge.keeping(DAY.isoformat()), [one.retrieval for one in read_sample(warehouse, DAY, judge)])
        (kept,) = (tmp_path / "judge" / "answers").iterdir()
        kept.write_text(kept.read_text().replace('"prompt":0', f'"prompt":{TOO_MANY}', 3))

        found = judge_sample(warehouse, DAY, judge, now=lambda: NOW)

        assert len(endpoint.calls) == RETRIEVALS + 3
    assert found.statuses == {"judged": RETRIEVALS}
