"""The document tells the truth: what it allows is sent, and what comes back is what it promises."""

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Ok

from pipelines.collect.app import Collector, make_app
from pipelines.collect.run import Gathering, create_key, keyring
from tests.collect.conftest import NOW, Memory


@pytest.mark.property
def test_the_collector_keeps_to_its_document(tmp_path: Path) -> None:
    """Status codes, headers, media types and bodies are those of the document, with a key and without one."""
    key, _ = create_key(tmp_path, "a.example.com", lambda: NOW)
    collector = Collector(
        append=Gathering(Memory()).append, keys=keyring(tmp_path).items, now=lambda: NOW, environment="test"
    )
    document = schemathesis.openapi.from_asgi("/openapi.json", make_app(collector))
    operations = [found.ok() for found in document.get_all_operations() if isinstance(found, Ok)]

    for operation in operations:

        @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
        @given(operation.as_strategy())
        def keeps_to_it(case: schemathesis.Case[Any]) -> None:
            if case.headers.get("Content-Encoding") in ("gzip", "zstd"):
                del case.headers["Content-Encoding"]  # it compresses no body; another test does
            case.call_and_validate()
            case.call_and_validate(headers={"Authorization": f"Bearer {key}"})

        keeps_to_it()

    assert {operation.path for operation in operations} == {"/v1/events", "/healthz", "/metrics"}
