"""An HTTP server on loopback that speaks as much of the OpenAI protocol as the judge uses, and follows a script.

A script is a function from a call to a reply. The replies at the end of this module are the ways in which real
endpoints answer: well, slowly, not at all, with refusals, cut off, around the form, or against it.
"""

import json
import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One chat completion that was asked for; `number` counts all calls, `try_of` those about the same document."""

    number: int
    try_of: int
    body: Mapping[str, Any]

    @property
    def document(self) -> dict[str, Any]:
        """The retrieval that the call is about."""
        return dict(json.loads(self.body["messages"][1]["content"]))

    @property
    def passages(self) -> list[dict[str, str]]:
        """The passages, in the order in which they were sent."""
        return list(self.document["passages"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A chat completion."""

    text: str
    finish_reason: str = "stop"
    refusal: str | None = None
    prompt_tokens: int = 1_000
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    completion_tokens: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """An HTTP error."""

    status: int
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A chunked answer whose connection closes in the middle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Garbage:
    """A body that is no chat completion, with HTTP 200 unless given."""

    body: bytes
    status: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Drip:
    """A body of which a byte comes now and then."""

    body: bytes
    #: seconds
    every: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hang:
    """No answer until the endpoint is closed."""


Reply = Said | Failed | Cut | Garbage | Drip | Hang
Script = Callable[[Call], Reply]


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Take it in silence that a client dies in the middle of its call."""
        if not isinstance(sys.exception(), (ConnectionError, json.JSONDecodeError)):
            super().handle_error(request, client_address)  # type: ignore[arg-type] # as it was given


class ScriptedEndpoint:
    """The running server: its address, and every call that it was asked."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.calls: list[Call] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def base_url(self) -> str:
        """The address to give to the openai client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def close(self) -> None:
        """Stop the server and let go of whoever still waits for it."""
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def note(self, body: Mapping[str, Any]) -> Call:
        """Remember a call."""
        with self._lock:
            document = body["messages"][1]["content"]
            before = sum(call.body["messages"][1]["content"] == document for call in self.calls)
            call = Call(number=len(self.calls) + 1, try_of=before + 1, body=body)
            self.calls.append(call)
        return call

    def route(self, method: str, path: str, body: bytes) -> tuple[int, Any] | Reply | None:
        """Answer anything but a chat completion; None for what is not there."""
        return None

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            timeout = 5

            def log_message(self, *_: object) -> None:
                """Stay silent."""

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                if self.path == "/v1/chat/completions":
                    self._reply(endpoint.script(endpoint.note(json.loads(body))))
                else:
                    self._route("POST", body)

            def do_GET(self) -> None:
                self._route("GET", b"")

            def _route(self, method: str, body: bytes) -> None:
                found = endpoint.route(method, self.path, body)
                if found is not None and not isinstance(found, tuple):
                    self._reply(found)
                    return
                status, answer = found or (404, {"error": {"message": "not here", "code": "not_found"}})
                self._send(status, answer if isinstance(answer, bytes) else json.dumps(answer).encode())

            def _reply(self, reply: Reply) -> None:
                match reply:
                    case Said():
                        self._send(200, json.dumps(completion(reply)).encode())
                    case Failed():
                        error = {"error": {"message": "no", "code": reply.code, "type": "error"}}
                        self._send(reply.status, json.dumps(error).encode(), reply.headers)
                    case Garbage():
                        self._send(reply.status, reply.body)
                    case Drip():
                        self.send_response_only(200)
                        self.send_header("content-type", "application/json")
                        self.send_header("content-length", str(len(reply.body)))
                        self.end_headers()
                        for byte in reply.body:
                            self.wfile.write(bytes([byte]))
                            endpoint.closing.wait(reply.every)
                    case Cut():
                        self.send_response(200)
                        self.send_header("content-type", "application/json")
                        self.send_header("transfer-encoding", "chunked")
                        self.end_headers()
                        self.wfile.write(b'10\r\n{"choices": [{"m')
                        self.close_connection = True
                    case Hang():
                        endpoint.closing.wait()
                        self.close_connection = True

            def _send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
                self.send_response_only(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

        return Handler


def completion(said: Said) -> dict[str, Any]:
    """Return the body of a chat completion."""
    return {
        "id": "c-1",
        "object": "chat.completion",
        "created": 0,
        "model": "judge-2026-01-01",
        "system_fingerprint": "f-1",
        "choices": [
            {
                "index": 0,
                "finish_reason": said.finish_reason,
                "message": {"role": "assistant", "content": said.text, "refusal": said.refusal},
            }
        ],
        "usage": {
            "prompt_tokens": said.prompt_tokens,
            "completion_tokens": said.completion_tokens,
            "total_tokens": said.prompt_tokens + said.completion_tokens,
            "prompt_tokens_details": {
                "cached_tokens": said.cached_tokens,
                "cache_write_tokens": said.cache_write_tokens,
            },
        },
    }


@contextmanager
def scripted(script: Script) -> Iterator[ScriptedEndpoint]:
    """Run a server that follows a script."""
    endpoint = ScriptedEndpoint(script)
    try:
        yield endpoint
    finally:
        endpoint.close()


def verdict(
    passages: list[dict[str, str]],
    *,
    needs_retrieval: bool = True,
    sufficient: bool = False,
    grades: Mapping[str, int] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return a verdict in the required form: a passage with the word "plan" is graded 3, any other 0, unless given."""
    graded = []
    for passage in passages:
        grade = grades.get(passage["id"], 3 if re.search(r"\bplan\b", passage["text"]) else 0)
        evidence = " ".join(passage["text"].split()[:6]) if grade >= 2 else ""
        graded.append({"id": passage["id"], "evidence": evidence, "query_grade": grade, "need_grade": grade})
    return {
        "need": "Which plans include it?",
        "needs_retrieval": needs_retrieval,
        "passages": graded,
        "sufficient": sufficient,
    }


def well(call: Call) -> Reply:
    """Answer in the required form."""
    return Said(text=json.dumps(verdict(call.passages)))


def first(*replies: Reply, then: Script = well) -> Script:
    """Follow a list of replies for the first tries about any one document, and another script after them."""
    return lambda call: replies[call.try_of - 1] if call.try_of <= len(replies) else then(call)


class ScriptedBatches(ScriptedEndpoint):
    """An endpoint that also runs batches: each makes progress when it is looked at, and is answered by the same script.

    `answer` says which calls of a batch are answered before it ends, and `ends` how it ends. What is paid for is counted
    in `batched`, by call id, however often the answers are fetched.
    """

    def __init__(
        self, script: Script, *, ends: str = "completed", answer: Callable[[int], bool] = lambda _: True
    ) -> None:
        self.ends = ends
        self.answer = answer
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.batched: list[str] = []
        self.looks: Counter[str] = Counter()
        #: a batch is over once it was looked at so often
        self.looked_at_before_over = 2
        #: called with what was asked for, before it is done and after; see the tests that kill at these instants
        self.instants: Callable[[str, str], None] = lambda _when, _what: None
        self.refuse_submission = False
        self.drop_answer_to_submission = False
        super().__init__(script)

    def route(self, method: str, path: str, body: bytes) -> tuple[int, Any] | None:
        """Answer what has to do with files and batches."""
        what = re.sub(r"(?<=/)[bf]-[\w-]+", "ID", f"{method} {path.split('?', maxsplit=1)[0]}")
        self.instants("before", what)
        found = self._answer(method, path, body)
        self.instants("after", what)
        return found

    def _answer(self, method: str, path: str, body: bytes) -> tuple[int, Any] | None:
        where = path.split("?", maxsplit=1)[0].removeprefix("/v1/").split("/")
        match (method, where):
            case ("POST", ["files"]):
                name = f"f-{len(self.files)}"
                self.files[name] = re.split(rb"\r\n\r\n", body[body.index(b"filename=") :], maxsplit=1)[1].rsplit(
                    b"\r\n--", 1
                )[0]
                return 200, {
                    "id": name,
                    "object": "file",
                    "bytes": len(body),
                    "created_at": 0,
                    "filename": "x",
                    "purpose": "batch",
                    "status": "processed",
                }
            case ("POST", ["batches"]):
                return self._submitted(json.loads(body))
            case ("GET", ["batches"]):
                data = list(self.batches.values())[::-1]
                return 200, {"object": "list", "data": data, "has_more": False}
            case ("GET", ["batches", name]):
                return 200, self._looked_at(self.batches[name])
            case ("POST", ["batches", name, "cancel"]):
                self.batches[name]["status"] = "cancelled"
                return 200, self.batches[name]
            case ("GET", ["files", name, "content"]):
                return 200, self.files[name]
        return None

    def _submitted(self, asked: dict[str, Any]) -> tuple[int, Any]:
        if self.refuse_submission:
            return 400, {"error": {"message": "no batches for you", "code": "no"}}
        name = f"b-{len(self.batches)}"
        self.batches[name] = {
            "id": name,
            "object": "batch",
            "endpoint": asked["endpoint"],
            "input_file_id": asked["input_file_id"],
            "completion_window": "24h",
            "created_at": 0,
            "status": "in_progress",
            "metadata": asked["metadata"],
        }
        self._run(self.batches[name])
        if self.drop_answer_to_submission:
            self.drop_answer_to_submission = False
            return 502, {}
        return 200, self.batches[name]

    def _run(self, batch: dict[str, Any]) -> None:
        lines = [json.loads(line) for line in self.files[batch["input_file_id"]].splitlines()]
        out, errors = [], []
        for number, line in enumerate(lines):
            if not self.answer(number):
                continue
            reply = self.script(Call(number=number + 1, try_of=1, body=line["body"]))
            if isinstance(reply, Said):
                self.batched.append(line["custom_id"])
                response = {"status_code": 200, "body": completion(reply)}
                out.append({"custom_id": line["custom_id"], "response": response})
            else:
                response = {"status_code": 500, "body": {"error": {"code": "oops"}}}
                errors.append({"custom_id": line["custom_id"], "response": response})
        for kind, found in (("output", out), ("error", errors)):
            if found:
                name = f"{batch['id']}-{kind}"
                self.files[name] = b"".join(json.dumps(line).encode() + b"\n" for line in found)
                batch[f"{kind}_file_id"] = name
        batch["request_counts"] = {"total": len(lines), "completed": len(out), "failed": len(errors)}

    def _looked_at(self, batch: dict[str, Any]) -> dict[str, Any]:
        self.looks[batch["id"]] += 1
        if (
            self.looks[batch["id"]] > self.looked_at_before_over
            and batch["status"] == "in_progress"
            and self.ends != "never"
        ):
            batch["status"] = self.ends
        return batch
