"""The OpenAPI document, generated from the table of operations and the models of requests and answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

import kycpack
from kycpack.assets import asset_yaml
from kycpack.models.enums import SESSION_COMPLETED
from kycpack.models.webhooks import SessionCompleted
from kycpack.service.operation import ServedOperation
from kycpack.service.problems import ErrorAnswer

_References = Mapping[Any, JsonSchemaValue]
_EXAMPLES: Mapping[str, Mapping[str, Any]] = asset_yaml("service/examples.yaml")

_SIGNED = (
    "`HMAC-SHA256 Credential=<KEY_ID>, Signature=<SIGNATURE>`. The default signature, `kyc-hmac-v1`, uses the headers "
    "x-date, x-nonce and x-content-sha256; see the README."
)


def openapi_document(operations: Iterable[ServedOperation], server: str = "") -> dict[str, Any]:
    """Return the document.

    Args:
        operations: The table of operations.
        server: Base URL of the service; empty for relative URLs.
    """
    table = tuple(operations)
    schemas, definitions = _schemas(table)
    paths: dict[str, Any] = {}
    for operation in table:
        for number, path in enumerate((operation.path, *operation.aliases)):
            item = _operation(operation, schemas)
            item["operationId"] = operation.name if number == 0 else f"{operation.name}.alias{number}"
            paths.setdefault(path, {})[operation.method.lower()] = item
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Customer Verification and Payments Service",
            "version": kycpack.__version__,
            "description": "The embedded service of kycpack: every operation of the interface. Each request is signed: "
            "the Authorization header and three further headers.",
        },
        "servers": [{"url": server or "/", "description": "The service that gave this document."}],
        "tags": [{"name": name, "x-displayName": words} for name, words in _TAGS.items()],
        "paths": paths,
        "webhooks": {
            SESSION_COMPLETED: {
                "post": {
                    "operationId": "webhooks.session_completed",
                    "summary": "A session was completed",
                    "description": "Sent once to each active endpoint, unsigned and without retries. Fetch the status and results with your own key.",
                    "security": [],
                    "requestBody": {
                        "required": True,
                        "content": {
                            "application/json": {"schema": schemas[(SessionCompleted, "serialization")]}
                        },
                    },
                    "responses": {"2XX": {"description": "Taken."}},
                }
            }
        },
        "components": {
            "schemas": definitions,
            "parameters": _SIGNED_HEADERS,
            "securitySchemes": {
                "signature": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "Authorization",
                    "description": _SIGNED,
                }
            },
        },
        "security": [{"signature": []}],
    }


def _signed_header(name: str, meaning: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": True, "description": meaning, "schema": schema}


_SIGNED_HEADERS: dict[str, Any] = {
    "x-date": _signed_header(
        "x-date",
        "When the request was signed, as an HTTP date within 300 seconds of the service's time.",
        {"type": "string", "examples": ["Tue, 20 Apr 2021 02:07:55 GMT"]},
    ),
    "x-nonce": _signed_header(
        "x-nonce",
        "New for each request, including retries.",
        {"type": "string", "pattern": "^[A-Za-z0-9-]{16,64}$"},
    ),
    "x-content-sha256": _signed_header(
        "x-content-sha256",
        "Base64 of the SHA-256 of the body, even if the body is empty.",
        {"type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$"},
    ),
}
_TAGS = {
    "customers": "Customers",
    "payments": "Payments",
    "banks": "Banks",
    "bank_accounts": "Customer bank data",
    "source_of_wealth": "Source of wealth",
    "onboarding": "Onboarding",
    "webhooks": "Webhooks",
}


class WireSchema(GenerateJsonSchema):
    """Schemas of requests and answers, in which an amount is a JSON number or a decimal string."""

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """Return the two forms of an amount."""
        number: JsonSchemaValue = {"type": "number"}
        if "gt" in schema:
            number["exclusiveMinimum"] = int(schema["gt"])
        return {"anyOf": [number, {"type": "string", "pattern": r"^[+-]?[0-9]{1,30}(\.[0-9]{1,10})?$"}]}


def _schemas(operations: tuple[ServedOperation, ...]) -> tuple[_References, dict[str, Any]]:
    wanted: dict[tuple[type[BaseModel], Literal["validation", "serialization"]], None] = {
        (ErrorAnswer, "serialization"): None,
        (SessionCompleted, "serialization"): None,
    }
    for operation in operations:
        if operation.request is not None:
            wanted[(operation.request, "validation")] = None
        if operation.answer is not None:
            wanted[(operation.answer, "serialization")] = None
    references, document = models_json_schema(
        list(wanted), by_alias=True, ref_template="#/components/schemas/{model}", schema_generator=WireSchema
    )
    return references, document.get("$defs", {})


def _operation(operation: ServedOperation, schemas: _References) -> dict[str, Any]:
    item: dict[str, Any] = {
        "summary": operation.summary,
        "tags": [operation.name.partition(".")[0]],
        "x-permission": operation.permission,
        "parameters": [
            *_path_parameters(operation.path),
            *(
                {
                    "name": query.name,
                    "in": "query",
                    "required": False,
                    "description": query.meaning,
                    "schema": dict(query.schema),
                }
                for query in operation.query
            ),
            *({"$ref": f"#/components/parameters/{name}"} for name in _SIGNED_HEADERS),
        ],
        "responses": _responses(operation, schemas),
    }
    if operation.area is not None:
        item["x-area"] = operation.area
    if operation.request is not None:
        schema = schemas[(operation.request, "validation")]
        item["requestBody"] = {
            "required": operation.body_required,
            "content": json_content(schema, "requests", operation.name),
        }
    return item


def _path_parameters(path: str) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def json_content(schema: Any, kind: str, name: str) -> dict[str, Any]:
    """Return the content of a JSON body.

    Args:
        schema: Its schema.
        kind: Kind of its example in `data/service/examples.yaml`.
        name: Name of its example; there need not be one.
    """
    examples = _EXAMPLES[kind]
    example = {"example": examples[name]} if name in examples else {}
    return {"application/json": {"schema": schema, **example}}


def _responses(operation: ServedOperation, schemas: _References) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    if operation.answer is not None:
        schema = schemas[(operation.answer, "serialization")]
        responses["200"] = {
            "description": "Done.",
            "content": json_content(schema, "answers", operation.name),
        }
    for status, answer in operation.other_answers.items():
        held = responses.setdefault(str(status), {"description": "Done."})
        held.update({name: value for name, value in answer.items() if name != "content"})
        held.setdefault("content", {}).update(answer.get("content", {}))
        if not held["content"]:
            del held["content"]
    failures = [
        *(400, 401, 403),
        *operation.errors,
        *((413, 415) if operation.request is not None else ()),
        429,
        503,
    ]
    for status in failures:
        responses[str(status)] = {
            "description": HTTPStatus(status).phrase,
            "content": {"application/json": {"schema": schemas[(ErrorAnswer, "serialization")]}},
        }
    return responses
