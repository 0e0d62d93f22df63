"""The UI is there: a webserver of our own is asked, as a browser asks it, for what a person would look at."""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import dagster as dg
import httpx
import pytest

from assets.resources import Nightcheck
from pipelines.cli.ingest import ingest_all
from pipelines.demo.generator import generate
from pipelines.demo.tenants import TENANTS
from pipelines.settings import Settings
from tests.assets.runs import OVERVIEW, run_day
from tests.integration.browser import seen_by_browser, too_wide

ROOT = Path(__file__).parent.parent.parent
DAY = date(2026, 3, 2)

pytestmark = [pytest.mark.integration, pytest.mark.timeout(180)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A running webserver."""

    url: str

    def ask(self, query: str, **variables: object) -> Any:
        """Ask through GraphQL; an error is a failure."""
        asked = {"query": query, "variables": variables}
        answer = httpx.post(f"{self.url}/graphql", json=asked, timeout=60).json()
        assert "errors" not in answer, answer
        return answer["data"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run one night through Dagster, then serve its instance on a free port of the loopback."""
    home, dagster_home = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("dagster_home")
    shutil.copy(ROOT / "dagster_home" / "dagster.yaml", dagster_home)
    traffic = home / "traffic.jsonl"
    traffic.write_bytes(b"".join(generate(3, DAY, 1, TENANTS[:2], (12, 16))))
    environment = {**os.environ, "DAGSTER_HOME": str(dagster_home), "NIGHTCHECK_HOME": str(home)}
    ingest_all([str(traffic)], Settings.from_environment(environment))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAGSTER_HOME", str(dagster_home))
        with dg.DagsterInstance.get() as instance:
            nightcheck = Nightcheck(home=str(home))
            run_day(DAY, nightcheck, instance)
            dg.materialize(OVERVIEW[:1], resources={"nightcheck": nightcheck}, instance=instance)
    yield from _serve(environment, home / "webserver.log")


def _serve(environment: dict[str, str], log: Path) -> Iterator[Served]:
    workspace = str(ROOT / "dagster_home" / "workspace.yaml")
    command = [
        sys.executable,
        "-m",
        "dagster_webserver",
        "--workspace",
        workspace,
        "--host",
        "127.0.0.1",
        "--port",
        "0",
    ]
    with log.open("wb") as out:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            assert server.stdout is not None
            for line in server.stdout:  # it says where it will listen, shortly before it does
                out.write(line)
                out.flush()
                if found := re.search(rb"Serving dagster-webserver on (http://\S+)", line):
                    url = found[1].decode()
                    _wait_until_it_listens(url, server)
                    yield Served(url=url)
                    break
            else:
                pytest.fail(f"the webserver ended with {server.wait()}: {log.read_text()}")
        finally:
            server.terminate()
            try:
                server.wait(timeout=20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
            if server.stdout is not None:
                server.stdout.close()


def _wait_until_it_listens(url: str, server: subprocess.Popen[bytes]) -> None:
    """Return once a connection is taken; the test's own timeout is the bound."""
    where = httpx.URL(url)
    while True:
        try:
            socket.create_connection((where.host, where.port or 80), timeout=5).close()
        except OSError:
            with contextlib.suppress(subprocess.TimeoutExpired):
                pytest.fail(f"the webserver ended with {server.wait(timeout=0.05)} before it listened at {url}")
        else:
            return


def test_the_page_itself_is_served_on_the_loopback(served: Served) -> None:
    """A browser gets the UI."""
    page = httpx.get(served.url, timeout=60)

    assert served.url.startswith("http://127.0.0.1:")
    assert page.status_code == 200
    assert "dagster" in page.text.lower()


def test_the_mart_its_partitions_and_its_last_materialisation_are_there(served: Served) -> None:
    """What was run is what is shown: the day as a partition, the rate as a number, the rows as a table."""
    query = """
      query Mart($key: AssetKeyInput!) {
        assetNodeOrError(assetKey: $key) {
          ... on AssetNode {
            description groupName isPartitioned
            partitionStats { numMaterialized }
            assetPartitionStatuses { ... on TimePartitionStatuses { ranges { startKey endKey status } } }
            assetMaterializations(limit: 1) {
              partition
              metadataEntries { label ... on FloatMetadataEntry { floatValue } ... on TableMetadataEntry { table { records } } }
            }
          }
        }
      }"""

    node = served.ask(query, key={"path": ["relevance_daily"]})["assetNodeOrError"]

    assert node["groupName"] == "marts"
    assert node["description"].startswith("The nightly relevance mart")
    assert node["isPartitioned"]
    assert node["partitionStats"]["numMaterialized"] == 1
    assert [(part["startKey"], part["status"]) for part in node["assetPartitionStatuses"]["ranges"]] == [
        (DAY.isoformat(), "MATERIALIZED")
    ]
    (last,) = node["assetMaterializations"]
    entries = {entry["label"]: entry for entry in last["metadataEntries"]}
    assert last["partition"] == DAY.isoformat()
    assert 0 < entries["irrelevant_need"]["floatValue"] < 1
    rows = [json.loads(record) for record in entries["table"]["table"]["records"]]
    assert {"all tenants", *(tenant.host for tenant in TENANTS[:2])} <= {row["tenant"] for row in rows}


def test_the_overview_is_there_with_its_picture(served: Served) -> None:
    """The page to open first shows the trend inline."""
    query = """
      query Overview($key: AssetKeyInput!) {
        assetNodeOrError(assetKey: $key) {
          ... on AssetNode {
            assetMaterializations(limit: 1) { metadataEntries { label ... on MarkdownMetadataEntry { mdStr } } }
          }
        }
      }"""

    node = served.ask(query, key={"path": ["relevance_overview"]})["assetNodeOrError"]

    (last,) = node["assetMaterializations"]
    pictures = [entry["mdStr"] for entry in last["metadataEntries"] if entry["label"] == "trend"]
    assert len(pictures) == 1
    assert pictures[0].startswith("![trend](<data:image/svg+xml,")
    assert len(pictures[0]) < 1000, "longer Markdown stands behind a button"


def test_a_browser_shows_the_overview(served: Served, tmp_path: Path) -> None:
    """In a real browser the figures, the picture and the worst retrievals are on the page itself, behind no click."""
    page = seen_by_browser(f"{served.url}/assets/relevance_overview", tmp_path)

    assert "Open this first" in page
    assert DAY.isoformat() in page
    assert re.search(r"\d+\.\d% \[\d+\.\d%, \d+\.\d%\] of \d+ judged passages", page), "the rate with its interval"
    assert "this measures them, not relevance" in page, "whose word the rate is"
    assert 'src="data:image/svg+xml,' in page
    assert "1 of 28 nights" in page
    assert "band: 95 % interval" in page, "what the picture shows"
    assert "all tenants" in page
    for words in ("read first, 1", "searched", ">query<", ">need<", ">passage<", "it names no evidence"):
        assert words in page, "the worst retrieval with its query, passages and grades"
    for words in ("of the sampled passages have a grade", "retrievals drawn (at most", "no calls, no cost"):
        assert words in page, "coverage and cost"


def test_the_overview_fits_a_window_of_1500(served: Served, tmp_path: Path) -> None:
    """Nothing of a table is cut off at the right: no cell is wider than what holds it."""
    assert too_wide(f"{served.url}/assets/relevance_overview", tmp_path, width=1500) == []


def test_a_browser_shows_the_mart_of_a_day(served: Served, tmp_path: Path) -> None:
    """The page of a partition has the rate and interval of each slice on a line."""
    page = seen_by_browser(f"{served.url}/assets/fault_daily?view=partitions&partition={DAY}", tmp_path)

    for words in ("all tenants", "query broke", "retriever broke", *(tenant.host for tenant in TENANTS[:2])):
        assert words in page
    assert re.search(r"\d+\.\d% \(\d+\.\d–\d+\.\d\)", page), "a share with its interval"


def test_schedule_and_sensors_are_switched_on(served: Served) -> None:
    """A fresh installation runs its nights, catches up and delivers without anyone switching anything on."""
    query = """
      query Automation {
        workspaceOrError { ... on Workspace { locationEntries { locationOrLoadError {
          ... on PythonError { message }
          ... on RepositoryLocation { repositories {
            schedules { name scheduleState { status } }
            sensors { name sensorState { status } }
          } }
        } } } }
      }"""

    (location,) = served.ask(query)["workspaceOrError"]["locationEntries"]
    (repository,) = location["locationOrLoadError"]["repositories"]

    states = {each["name"]: each["scheduleState"]["status"] for each in repository["schedules"]}
    states |= {each["name"]: each["sensorState"]["status"] for each in repository["sensors"]}
    assert states == dict.fromkeys(
        ["nightly_schedule", "missing_and_dirty_days", "nights_run_elsewhere", "deliver_alerts"], "RUNNING"
    )
