"""How long a night takes without its judge, on a day of many retrievals, and how that grows with days.

    .venv/bin/python -m benchmarks.night                 a day of a million retrievals with eight passages each
    .venv/bin/python -m benchmarks.night 250000 3        three days of 250,000
    .venv/bin/python -m benchmarks.night 5000 33 cpu     of each step the CPU seconds alone, on each of 33 small days
    .venv/bin/python -m benchmarks.night 50000 33 losses  CPU seconds of loss_daily alone, with 100,000 events a day
    .venv/bin/python -m benchmarks.night 5000 365 publish  what it takes to publish 365 days of marts, each like that of 5,000

The rows are made in the tables of the stream directly (ingest has a benchmark of its own). Printed per day: the seconds
of each step with its CPU seconds in brackets (which other work on the machine changes less; two cores share most of
them), the sums without the judge, and the peak of memory of the process so far.
"""

import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path

from pipelines.alerts.run import find
from pipelines.io.warehouse import Connection, Warehouse
from pipelines.judging.lexical import LexicalJudge
from pipelines.judging.run import judge_sample
from pipelines.marts.catalog import MARTS
from pipelines.marts.publishing.run import publish
from pipelines.marts.run import make
from pipelines.night.run import REPLAYED_AT_MOST, Plan, draw, measure_disclaims
from pipelines.resolution.dated.run import measure_dates
from pipelines.resolution.replay.run import replay

FIRST_DAY = date(2026, 11, 1)
#: four turns a conversation, thirty tenants, four languages and some turns that state none; no two answers are alike,
#: half hold a word such as "not", and one in ten says that it does not know
_FILL = (
    """insert into canonical.turns by name
    with spoken (place, tag, disclaims, answers) as (
      values (0, 'en', 'I don''t have any information about plan {} in the documents.',
          'Open the settings and choose plan {}. This is not hard: the change counts from the first of the next month on, and what you paid before is set off. A note goes to your address when the plan was changed, and you may take it back within fourteen days.'),
        (1, 'fr', 'Désolé, je ne sais pas ce que comprend le forfait {}.',
          'Ouvrez les paramètres et choisissez le forfait {}. Ce n’est pas long : le changement vaut dès le premier du mois suivant, et ce que vous avez déjà réglé est déduit. Une note vous est envoyée à votre adresse après le changement.'),
        (2, 'es', 'Lo siento, no tengo información sobre el plan {}.',
          'Abra la configuración y elija el plan {}. No es difícil: el cambio vale desde el primer día del mes siguiente, y lo que ya pagó se descuenta. Después del cambio le enviamos una nota a su dirección, y puede volver atrás en catorce días.'),
        (3, 'it', 'Mi dispiace, non so che cosa comprende il piano {}.',
          'Apra le impostazioni e scelga il piano {}. Non è difficile: il cambio vale dal primo del mese successivo, e quanto ha già pagato viene detratto. Dopo il cambio le mandiamo una nota al suo indirizzo, e può tornare indietro entro quattordici giorni.')
    )
    select $day::date as day, 't' || (i // 4 % 30) || '.example' as tenant, 'production' as environment, uuid() as event_id,
      $day::timestamptz + to_microseconds(i * 50000) as occurred_at, $day || 'c' || (i // 4) as conversation_id,
      'v' || (i // 4) as visitor_id, $day || 't' || i as turn_id, (i % 4)::integer as turn_index,
      'How do I cancel the plan of number ' || i || '?' as message, if(i % 20 = 7, null, tag) as language,
      replace(if(i % 10 = 0, disclaims, repeat(if(i % 2 = 0, answers, regexp_replace(answers, '\\. [^:]*:', ';')) || ' ', 2)), '{}', i::varchar) as answer,
      if(i % 4 = 0, 'substantive', 'follow_up') as gate_decision, 'rule' as gate_reason, '1' as gate_version
    from range($n) as numbers (i)
    join spoken on place = greatest(i // 4 % 10 - 6, 0)""",
    """insert into canonical.retrievals by name
    select $day::date as day, 't' || (i // 4 % 30) || '.example' as tenant, 'production' as environment, ('00000000-0000-4000-8000-' || lpad(hex(i), 12, '0'))::uuid as event_id,
      $day::timestamptz + to_microseconds(i * 50000) as occurred_at, $day || 'c' || (i // 4) as conversation_id, 'v' || (i // 4) as visitor_id,
      $day || 'r' || i as retrieval_id, $day || 't' || i as turn_id, if(i % 20 = 0, 'skipped', 'searched') as outcome, if(i % 20 = 0, 'short', null) as reason,
      'cancel the plan of number ' || i as searched_query, if(i % 4 = 0, 'as_typed', 'combined') as resolution, [] as channels, [] as pins,
      if(i % 20 = 0, null, 8) as passage_count
    from range($n) as numbers (i)""",
    """insert into canonical.passages by name
    select $day::date as day, 't' || (i // 4 % 30) || '.example' as tenant, 'production' as environment, ('00000000-0000-4000-8000-' || lpad(hex(i), 12, '0'))::uuid as event_id,
      $day::timestamptz as occurred_at, $day || 'c' || (i // 4) as conversation_id, $day || 'r' || i as retrieval_id, p::integer as ordinal, p::integer as rank,
      'p' || p as passage_id, if(p % 2 = 0, 'document', 'conversation') as kind,
      'Cancel a plan in the settings; number ' || (i * 7 + p) || ' is kept until the end of the month.' as text
    from range($n) as numbers (i), range(1, 9) as places (p)
    where i % 20 <> 0""",
    """insert into ingest.events by name
    select $day::date as day, 't' || (i // 4 % 30) || '.example' as tenant, 'production' as environment, uuid() as event_id,
      if(i % 2 = 0, 'turn', 'retrieval') as event_type, $day::timestamptz + to_microseconds(i * 25000) as occurred_at,
      'web-' || (i // 120 % 4) as producer_id, (epoch($day::timestamptz) / 86400 * $n)::bigint + i // 480 * 4 + i % 4 as sequence,
      ''::blob as digest, epoch($day::timestamptz)::bigint as batch, i as ordinal, 'made' as partition, i as "offset", ''::blob as raw
    from range(2 * $n::integer) as numbers (i)""",
    """insert into ingest.batches by name
    select epoch($day::timestamptz)::bigint as batch, 'made' as source, $day::timestamptz as committed_at, 2 * $n as consumed,
      2 * $n as stored, 0 as duplicates, 0 as conflicts, 0 as quarantined, 0 as erased""",
)
_REPEAT = """insert into marts.{mart} by name
    select * exclude (later) replace ((day + later::integer)::date as day) from marts.{mart}, range(1, $days) as days (later)"""
_STEPS = ("draw", "disclaims", "replay", "dates", "marts", "publish", "alerts")


def fill(connection: Connection, day: date, count: int) -> None:
    """Write a day of `count` turns and retrievals, of thirty tenants."""
    for statement in _FILL:
        connection.execute(statement, {"day": day.isoformat(), "n": count})


@dataclass(frozen=True, slots=True)
class Took:
    """What a step took: seconds by the clock, and seconds of work of all threads."""

    wall: float
    cpu: float


def run(warehouse: Warehouse, day: date, published: Path) -> dict[str, Took]:
    """Run the night of a day; return what each step took."""
    judge, plan = LexicalJudge(), Plan(environments=("production",), seed="1", cap=40)
    steps: dict[str, Callable[[], object]] = {
        "draw": lambda: draw(warehouse, day, judge, plan),
        "judge": lambda: judge_sample(warehouse, day, judge, now=lambda: datetime(2026, 11, 30, tzinfo=UTC)),
        "disclaims": lambda: measure_disclaims(warehouse, day, plan.environments),
        "replay": lambda: replay(warehouse, day, plan.environments, at_most=REPLAYED_AT_MOST),
        "dates": lambda: measure_dates(warehouse, day, plan.environments),
        "marts": lambda: make(warehouse, day),
        "publish": lambda: publish(warehouse, published),
        "alerts": lambda: find(warehouse),
    }
    took = {}
    for name, step in steps.items():
        began, work_began = time.perf_counter(), time.process_time()
        step()
        took[name] = Took(time.perf_counter() - began, time.process_time() - work_began)
    return took


def main(count: int, days: int, *, cpu: bool) -> None:
    """Make the days and run their nights, one after the other; print a row for each."""
    sums = ("all but judge",) if cpu else ("all but judge", "in CPU s")
    columns = ("day", *_STEPS, *sums, "judge", "peak MB")
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    with tempfile.TemporaryDirectory() as folder:
        warehouse = Warehouse(Path(folder) / "warehouse.duckdb")
        for day in (FIRST_DAY + timedelta(days=number) for number in range(days)):
            with warehouse.write() as connection:
                fill(connection, day, count)
            took = run(warehouse, day, Path(folder) / "published")
            cells = _work_of(took) if cpu else _seconds_of(took)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"| {day} | {' | '.join(cells)} | {peak:.0f} |", flush=True)


def losses(count: int, days: int) -> None:
    """Make the raw log of the days; print what the losses of each take, the least of three times."""
    print("| day | loss_daily |\n|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        warehouse = Warehouse(Path(folder) / "warehouse.duckdb")
        for day in (FIRST_DAY + timedelta(days=number) for number in range(days)):
            with warehouse.write() as connection:
                for statement in _FILL[3:]:
                    connection.execute(statement, {"day": day.isoformat(), "n": count})
            took = []
            for _ in range(3):
                began = time.process_time()
                make(warehouse, day, ["loss_daily"])
                took.append(time.process_time() - began)
            print(f"| {day} | {min(took):.2f} |", flush=True)


def publishing(count: int, days: int) -> None:
    """Run one night, repeat its marts on so many days, and publish them; print what that took."""
    with tempfile.TemporaryDirectory() as folder:
        warehouse, published = Warehouse(Path(folder) / "warehouse.duckdb"), Path(folder) / "published"
        with warehouse.write() as connection:
            fill(connection, FIRST_DAY, count)
        run(warehouse, FIRST_DAY, published)
        with warehouse.write() as connection:
            for mart in MARTS:
                connection.execute(_REPEAT.format(mart=mart), {"days": days})
        with ProcessPoolExecutor(
            1, mp_context=get_context("spawn")
        ) as another:  # its memory is that of publishing alone
            rows, seconds, peak = another.submit(_publish_alone, warehouse.path, published).result()
        size = (published / "nightcheck.duckdb").stat().st_size / 1e6
    print(f"{rows:,} rows of {days} days in {seconds:.1f} s; peak {peak:.0f} MB; a file of {size:.0f} MB")


def _publish_alone(path: Path, folder: Path) -> tuple[int, float, float]:
    began = time.perf_counter()
    rows = sum(publish(Warehouse(path), folder).values())
    seconds = time.perf_counter() - began
    # not of `getrusage`, which would tell the peak of the process that began this one
    (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return rows, seconds, int(peak) / 1024


def _work_of(took: dict[str, Took]) -> list[str]:
    every = [took[name].cpu for name in _STEPS]
    return [f"{cell:.2f}" for cell in (*every, sum(every), took["judge"].cpu)]


def _seconds_of(took: dict[str, Took]) -> list[str]:
    every = [took[name] for name in _STEPS]
    return [
        *(f"{each.wall:.1f} ({each.cpu:.1f})" for each in every),
        *(f"{seconds:.1f}" for seconds in (sum(each.wall for each in every), sum(each.cpu for each in every))),
        f"{took['judge'].wall:.1f}",
    ]


if __name__ == "__main__":
    size, nights = sys.argv[1:3] if len(sys.argv) > 2 else ("1000000", "1")
    if "losses" in sys.argv[3:]:
        losses(int(size), int(nights))
    elif "publish" in sys.argv[3:]:
        publishing(int(size), int(nights))
    else:
        main(int(size), int(nights), cpu="cpu" in sys.argv[3:])
