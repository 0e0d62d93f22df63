"""kill -9 at random instants loses nothing and counts nothing twice."""

import os
import random
import signal
import subprocess
from pathlib import Path

import pytest

from pipelines.io.kafka_connection import KafkaSettings
from pipelines.io.warehouse import NoWarehouseError, Warehouse
from tests.integration.faults.children import kill, start_ingester
from tests.integration.kafka.broker import send
from tests.streaming.laws import assert_laws, totals, undisturbed
from tests.streaming.traffic import records

pytestmark = [pytest.mark.integration, pytest.mark.timeout(3600)]
KILLS = int(os.environ.get("NIGHTCHECK_KILLS", "60"))
#: on one warehouse; its log is replayed at every start until one ends by itself, so that many kills in a row grow slow
KILLS_A_ROUND = 50
ROUNDS = -(-KILLS // KILLS_A_ROUND)


def durable(warehouse: Warehouse) -> int:
    """Return how many records the warehouse has accounted for."""
    try:
        return totals(warehouse).consumed
    except NoWarehouseError:
        return 0


def kill_often(
    warehouse: Warehouse, kills: int, rows: int, *sources: str, seed: int = 7
) -> tuple[int, list[tuple[int, int]]]:
    """Kill ingesters until one ends by itself or enough were killed; return the kills, and durable before and after."""
    rng = random.Random(seed)
    seen: list[tuple[int, int]] = []
    for number in range(kills):
        before = durable(warehouse)
        child = start_ingester(warehouse.path, rows, *sources)
        assert child.stdout is not None
        # three of four die while they work, a few batches on, however slow or fast the machine is; the others may die
        # while they start
        batches = rng.randint(1, 4) if number % 4 else 0
        first = sum(int(child.stdout.readline() or 0) for _ in range(batches))
        try:
            child.wait(timeout=rng.uniform(0.0, 0.05))
        except subprocess.TimeoutExpired:
            told = first + kill(child)
        else:
            child.communicate()
            return number, seen
        seen.append((before + told, durable(warehouse)))
    return kills, seen


def finish(warehouse: Warehouse, rows: int, *sources: str) -> None:
    """Let one ingester come to its end."""
    child = start_ingester(warehouse.path, rows, *sources)
    _, words = child.communicate(timeout=600)
    assert child.returncode == 0, words


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_an_ingester_that_is_killed(warehouse: Warehouse, tmp_path: Path, turn: int) -> None:
    """Every batch that was said to be durable is there after each kill, and in the end everything once."""
    kills = -(-KILLS // ROUNDS)
    sent = records(kills * 250, seed=turn)
    file = tmp_path / "events.jsonl"
    file.write_bytes(b"\n".join([*sent, *sent[:100]]) + b"\n")

    killed, seen = kill_often(warehouse, kills, 25, str(file), seed=turn)
    finish(warehouse, 5000, str(file))

    assert killed >= kills * 0.9
    assert [after >= told for told, after in seen] == [True] * len(seen)
    assert_laws(warehouse, undisturbed(tmp_path / "calm", sent), stored=len(sent))
    assert totals(warehouse).duplicates == 100


def test_an_ingester_of_a_topic_that_is_killed(
    kafka: KafkaSettings, topic: str, warehouse: Warehouse, tmp_path: Path
) -> None:
    """The same over Kafka, where the broker knows nothing of what is stored."""
    sent = records(3000)
    send(kafka.servers, topic, sent)
    name = f"kafka:{kafka.servers}/{topic}"

    killed, seen = kill_often(warehouse, 8, 20, name)
    finish(warehouse, 5000, name)

    assert killed >= 5
    assert [after >= told for told, after in seen] == [True] * len(seen)
    assert_laws(warehouse, undisturbed(tmp_path / "calm", sent), stored=len(sent))


def test_a_second_ingester_says_so_and_leaves(warehouse: Warehouse, tmp_path: Path) -> None:
    """Two readers of one source by mistake: the second ends at once with the reason, the first goes on."""
    sent = records(600)
    file = tmp_path / "events.jsonl"
    file.write_bytes(b"\n".join(sent) + b"\n")
    first = start_ingester(warehouse.path, 20, str(file))
    assert first.stdout is not None
    first.stdout.readline()  # it has stored a batch
    first.send_signal(signal.SIGSTOP)  # and is held in the midst of its work

    second = start_ingester(warehouse.path, 20, str(file))
    try:
        _, words = second.communicate(timeout=120)
    finally:
        second.kill()
        first.send_signal(signal.SIGCONT)
    first.communicate(timeout=120)

    assert second.returncode == 1
    assert b"another process is ingesting it" in words
    assert first.returncode == 0
    assert_laws(warehouse, undisturbed(tmp_path / "calm", sent), stored=len(sent))
