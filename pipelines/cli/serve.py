"""`nightcheck serve`: the collector."""

import os

import click


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The interface to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8787, show_default=True)
@click.option("--kafka-topic", help="Write to this topic (see KAFKA_BOOTSTRAP_SERVERS); without it, to the spool.")
@click.option(
    "--environment",
    envvar="NIGHTCHECK_ENVIRONMENT",
    default="local",
    show_default=True,
    help="Where this collector runs; /metrics is off where it is local.",
)
def serve(host: str, port: int, kafka_topic: str | None, environment: str) -> None:
    """Take events from applications over HTTP: the collector.

    It answers when they are durable. An application sends with a write key: nightcheck keys create TENANT. What arrives
    is read with nightcheck ingest spool, or nightcheck ingest kafka --topic TOPIC. Runs until SIGTERM or Ctrl-C, which
    end it with exit code 0.

    \b
    nightcheck serve
    nightcheck serve --kafka-topic events --environment production
    """
    from pipelines.cli.context import console, settings
    from pipelines.cli.following import told_to_stop
    from pipelines.collect.run import Writer
    from pipelines.collect.run import serve as run
    from pipelines.io.clock import now
    from pipelines.io.kafka_connection import KafkaSettings
    from pipelines.io.kafka_writer import KafkaWriter
    from pipelines.io.spool import SpoolWriter

    chosen = settings()
    writer: Writer
    if kafka_topic is None:
        writer = SpoolWriter(chosen.spool)
        console.print(f"listening on http://{host}:{port}, writing to {chosen.spool}")
    else:
        writer = kafka = KafkaWriter(kafka_topic, KafkaSettings.from_environment(os.environ))
        if not kafka.has_topic():
            warning = (
                f"topic {kafka_topic} does not exist, or this user may not see it: nothing is stored until it does"
            )
            console.print(warning, style="yellow", markup=False)
        console.print(f"listening on http://{host}:{port}, writing to topic {kafka_topic}")
    with told_to_stop():  # the server raises the signal that ended it once more, and a clean stop is no failure
        run(writer, chosen.home, host=host, port=port, environment=environment, now=now)
