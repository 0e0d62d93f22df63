"""The part of a night that costs money, in a process of its own that the tests kill.

`python -m tests.judging.dying_night HOME DAY`; the judge comes from the environment, as on the command line.
"""

import os
import sys
from datetime import date
from pathlib import Path

from pipelines.io.clock import now
from pipelines.io.warehouse import Warehouse
from pipelines.judging.choice.run import choose_judge
from pipelines.judging.run import judge_sample
from pipelines.night.run import Plan, draw


def main(home: Path, day: date) -> None:
    """Draw the whole day and have it judged."""
    warehouse = Warehouse(home / "warehouse.duckdb")
    judge = choose_judge("openai", home=home, environment=os.environ, warn=lambda _: None)
    draw(warehouse, day, judge, Plan(environments=("production",), seed="s", cap=None))
    judge_sample(warehouse, day, judge, now=now)


if __name__ == "__main__":
    main(Path(sys.argv[1]), date.fromisoformat(sys.argv[2]))
