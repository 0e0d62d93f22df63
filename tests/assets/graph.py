"""The graph of assets as plain text. Accept a change: `python -m tests.assets.graph > tests/assets/graph.txt`."""

from collections.abc import Iterator

import dagster as dg

from assets.definitions import defs


def lines() -> Iterator[str]:
    """Yield every asset with its group, partitions, sources and checks, then every job, schedule and sensor."""
    graph = defs.resolve_asset_graph()
    for key in sorted(graph.get_all_asset_keys()):
        node = graph.get(key)
        cut = type(node.partitions_def).__name__ if node.partitions_def else "not partitioned"
        how = "external" if not node.is_materializable else "one run a range" if node.backfill_policy else "one run"
        yield f"{key.to_user_string()} ({node.group_name}; {cut}; {how})"
        yield from (f"  from {parent.to_user_string()}" for parent in sorted(node.parent_keys))
        yield from (f"  check {check.name}" for check in sorted(node.check_keys))
    for job in defs.jobs or ():
        yield f"job {job.name}"
    for schedule in defs.get_repository_def().schedule_defs:
        yield f"schedule {schedule.name} ({schedule.cron_schedule}, {schedule.default_status.value})"
    for sensor in sorted(defs.get_repository_def().sensor_defs, key=lambda sensor: sensor.name):
        status: dg.DefaultSensorStatus = sensor.default_status
        yield f"sensor {sensor.name} (every {sensor.minimum_interval_seconds} s, {status.value})"


if __name__ == "__main__":
    print("\n".join(lines()))
