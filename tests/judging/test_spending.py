"""What a night costs over all its runs, held to one budget."""

from datetime import UTC, datetime, timedelta
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from pipelines.io.warehouse import Warehouse
from pipelines.judging.budget import Ceiling, Price
from pipelines.judging.noise.run import measure_noise
from pipelines.judging.openai import OpenAIJudge
from pipelines.judging.run import Judged, judge_sample
from pipelines.night.run import Plan, draw
from tests.judging.build import a_judge, a_manner
from tests.judging.nights import DAYS, RETRIEVALS, TENANT, ingest
from tests.judging.scripted_endpoint import Call, Failed, Reply, ScriptedEndpoint, scripted, well

NOW = datetime(2026, 11, 30, tzinfo=UTC)
#: a call takes 1,000 tokens in and 100 out, and may not take more than 0.04 before it is known what it took
PRICE = Price(input=2.0, output=8.0)
CALL = 0.0028


def a_priced_judge(endpoint: ScriptedEndpoint, **limits: float) -> OpenAIJudge:
    """Return a judge whose night may cost so much."""
    return a_judge(
        endpoint.base_url, manner=a_manner(price=PRICE, output_limit=100), ceiling=Ceiling(**limits), clock=None
    )


def judge_night(warehouse: Warehouse, judge: OpenAIJudge) -> Judged:
    """Draw all of the first night and have it judged."""
    draw(warehouse, DAYS[0], judge, Plan(environments=("production", "staging"), seed="s", cap=None))
    return judge_sample(warehouse, DAYS[0], judge, now=lambda: NOW)


def stored(warehouse: Warehouse, query: str) -> list[tuple[Any, ...]]:
    """Return what a query says."""
    with warehouse.read() as connection:
        return connection.execute(query).fetchall()


@pytest.mark.parametrize("limit", ["night", "tenant"])
def test_running_a_night_again_does_not_renew_its_budget(tmp_path: Path, limit: str) -> None:
    """What the first run left over budget stays so until the limit is raised; then only that is paid for."""
    warehouse = ingest(tmp_path, 0)
    with scripted(well) as endpoint:
        first = judge_night(warehouse, a_priced_judge(endpoint, **{limit: 0.03}))
        calls = len(endpoint.calls)
        second = judge_night(warehouse, a_priced_judge(endpoint, **{limit: 0.03}))

        assert len(endpoint.calls) == calls
        third = judge_night(warehouse, a_priced_judge(endpoint, **{limit: 1.0}))

        assert len(endpoint.calls) == RETRIEVALS
    assert 0 < calls < RETRIEVALS
    assert first.statuses == {"judged": calls, "over_budget": RETRIEVALS - calls}
    assert second.statuses == {"over_budget": RETRIEVALS - calls}
    assert (third.known, third.statuses) == (calls, {"judged": RETRIEVALS - calls})
    ((tenant, spent, counted),) = stored(
        warehouse, "select tenant, sum(cost), sum(calls) from night.spending group by all"
    )
    assert (tenant, counted) == (TENANT, RETRIEVALS)
    assert spent == pytest.approx(RETRIEVALS * CALL)


def test_the_same_content_in_two_environments_is_paid_for_once(tmp_path: Path) -> None:
    """What one environment's pass was answered, the next one's knows."""
    ingest(tmp_path, 0)
    warehouse = ingest(tmp_path, 0, environment="staging")
    with scripted(well) as endpoint:
        judged = judge_night(warehouse, a_priced_judge(endpoint))

        assert len(endpoint.calls) == RETRIEVALS
    assert (judged.asked, judged.known) == (RETRIEVALS, RETRIEVALS)
    ((drawn, found),) = stored(
        warehouse,
        "select count(*), count(verdict.status) from night.sample left join night.verdicts as verdict using (tenant, verdict_key)",
    )
    assert (drawn, found) == (2 * RETRIEVALS, 2 * RETRIEVALS)


def test_what_failed_is_paid_for_once_and_counted(tmp_path: Path) -> None:
    """Calls that ended in an error took no tokens; the run that mends them pays for them alone."""
    warehouse = ingest(tmp_path, 0)

    def every_third_fails(call: Call) -> Reply:
        return Failed(status=400) if call.document["searched_query"].endswith(("0?", "3?", "6?", "9?")) else well(call)

    with scripted(every_third_fails) as endpoint:
        first = judge_night(warehouse, a_priced_judge(endpoint))
        endpoint.script = well
        second = judge_night(warehouse, a_priced_judge(endpoint))

    failed = first.statuses["unavailable"]
    assert second.statuses == {"judged": failed}
    ((spent,),) = stored(warehouse, "select sum(cost) from night.spending")
    assert spent == pytest.approx(RETRIEVALS * CALL)


def test_measuring_noise_has_one_budget_over_environments_and_runs(tmp_path: Path) -> None:
    """The limit of a night holds for the noise of that night too, beside what the night has cost."""
    ingest(tmp_path, 0)
    warehouse = ingest(tmp_path, 0, environment="staging", useful=1)
    with scripted(well) as endpoint:
        judge_night(warehouse, a_priced_judge(endpoint))
        for at in (NOW, NOW + timedelta(hours=1)):
            judge = a_priced_judge(endpoint, night=0.05).past_the_store()
            measure_noise(warehouse, DAYS[0], judge, now=repeat(at).__next__)

    ledger = dict(stored(warehouse, "select what, sum(cost) from night.spending group by all"))
    assert ledger["verdicts"] == pytest.approx(2 * RETRIEVALS * CALL)
    assert 0.05 - 0.04 < ledger["noise"] <= 0.05
