"""The collector's interface as an OpenAPI document; a test sends the collector what the document allows."""

from typing import Any

from pipelines.ingest.decode import Reason

_ERROR = {
    "type": "object",
    "required": ["error", "message"],
    "properties": {"error": {"type": "string"}, "message": {"type": "string"}},
    "additionalProperties": False,
}
_VERDICT = {
    "oneOf": [
        {
            "type": "object",
            "required": ["status"],
            "properties": {"status": {"const": "stored"}},
            "additionalProperties": False,
        },
        {
            "type": "object",
            "required": ["status", "reason", "path", "message"],
            "properties": {
                "status": {"const": "rejected"},
                "reason": {"enum": sorted(reason.value for reason in Reason)},
                "path": {"type": "string"},
                "message": {"type": "string"},
            },
            "additionalProperties": False,
        },
    ]
}
_ANSWER = {
    "type": "object",
    "required": ["stored", "rejected", "verdicts"],
    "properties": {
        "stored": {"type": "integer", "minimum": 0},
        "rejected": {"type": "integer", "minimum": 0},
        "verdicts": {"type": "array", "items": {"$ref": "#/components/schemas/Verdict"}},
    },
    "additionalProperties": False,
}
_HEALTH = {
    "type": "object",
    "required": ["status"],
    "properties": {"status": {"enum": ["ok", "failing"]}, "reason": {"type": "string"}},
    "additionalProperties": False,
}
_RETRY_AFTER = {
    "Retry-After": {"description": "seconds", "required": True, "schema": {"type": "integer", "minimum": 1}}
}


def document(*, with_metrics: bool) -> dict[str, Any]:
    """Return the document; `/metrics` is in it only where it exists."""
    paths: dict[str, Any] = {
        "/v1/events": {"post": _events()},
        "/healthz": {
            "get": {
                "summary": "Whether the last events were made durable",
                "responses": {"200": _json("it works", "Health"), "503": _json("it does not", "Health")},
            }
        },
        "/openapi.json": {
            "get": {
                "summary": "This document",
                "responses": {
                    "200": {"description": "it", "content": {"application/json": {"schema": {"type": "object"}}}}
                },
            }
        },
    }
    if with_metrics:
        text = {"description": "counters", "content": {"text/plain": {"schema": {"type": "string"}}}}
        paths["/metrics"] = {"get": {"summary": "Counters for Prometheus", "responses": {"200": text}}}
    schemas = {"Error": _ERROR, "Verdict": _VERDICT, "Answer": _ANSWER, "Health": _HEALTH}
    return {
        "openapi": "3.1.0",
        "info": {"title": "nightcheck collector", "version": "1"},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"writeKey": {"type": "http", "scheme": "bearer"}},
        },
    }


def _events() -> dict[str, Any]:
    return {
        "summary": "Send events; 200 means that every event with the verdict stored is durable",
        "security": [{"writeKey": []}],
        "parameters": [
            {
                "name": "Content-Encoding",
                "in": "header",
                "required": False,
                "schema": {"enum": ["identity", "gzip", "zstd"], "default": "identity"},
            }
        ],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": {"type": "array", "items": {}, "maxItems": 5000}},
                "application/x-ndjson": {"schema": {"type": "string"}},
            },
        },
        "responses": {
            "200": _json("a verdict for each event, in their order", "Answer"),
            "400": _json("the body is no JSON array, or its compression is damaged", "Error"),
            "401": _json("no valid write key", "Error")
            | {"headers": {"WWW-Authenticate": {"required": True, "schema": {"const": "Bearer"}}}},
            "408": _json("the body did not come in time; nothing was stored", "Error"),
            "413": _json("too many bytes or events", "Error"),
            "415": _json("unknown media type or encoding", "Error"),
            "429": _json("too fast or too many at once; nothing was stored", "Error") | {"headers": _RETRY_AFTER},
            "503": _json("nothing is durable; send all again", "Error") | {"headers": _RETRY_AFTER},
        },
    }


def _json(description: str, schema: str) -> dict[str, Any]:
    return {
        "description": description,
        "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}},
    }
