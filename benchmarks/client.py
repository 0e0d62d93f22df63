"""What an event costs the application that hands it over, while the client sends to a collector in another process.

    .venv/bin/python -m benchmarks.client             (about half a minute)

In a row: one event after the other without a pause, so that the client's thread competes for the interpreter all the
time. Paced: one each millisecond, as a request handler does, with cold caches after each sleep.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.stream_traffic import retrievals, turns
from pipelines.collect.client import Client

SINK = """
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"verdicts": []}')
    def log_message(self, *arguments):
        return
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""


def microseconds(events: list[dict[str, Any]], hand_over: Callable[[dict[str, Any]], object], pause: float) -> str:
    """Hand events over and return quantiles of what each took, in microseconds."""
    took = []
    for event in events:
        began = time.perf_counter_ns()
        hand_over(event)
        took.append(time.perf_counter_ns() - began)
        if pause:
            time.sleep(pause)
    took.sort()
    return " | ".join(f"{took[int(len(took) * share)] / 1000:,.0f}" for share in (0.5, 0.9, 0.99))


def main() -> None:
    sink = subprocess.Popen([sys.executable, "-c", SINK], stdout=subprocess.PIPE, text=True)
    assert sink.stdout is not None
    url = f"http://127.0.0.1:{int(sink.stdout.readline())}"
    print("| event | pace | p50, µs | p90 | p99 |\n|---|---|---:|---:|---:|")
    try:
        client = Client(url, key="nk_x", tenant="help.example.com", environment="production", most_waiting=100_000)

        def turn(event: dict[str, Any]) -> None:
            client.turn(event["conversation_id"], visitor_id=event["visitor_id"], **event["payload"])

        def search(event: dict[str, Any]) -> None:
            payload = {name: value for name, value in event["payload"].items() if name != "outcome"}
            client.searched(event["conversation_id"], visitor_id=event["visitor_id"], **payload)

        for kind, records, hand_over in (("turn", turns(4000), turn), ("retrieval", retrievals(4000), search)):
            events = [json.loads(record) for record in records]
            for pace, pause in (("in a row", 0.0), ("paced", 0.001)):
                print(f"| {kind} | {pace} | {microseconds(events, hand_over, pause)} |", flush=True)
                client.flush()
        client.close()
    finally:
        sink.kill()


if __name__ == "__main__":
    main()
