"""The OpenAPI document of the control API, generated from its operations."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

import kycpack
from kycpack.service.control.models import Control
from kycpack.service.openapi import WireSchema, json_content
from kycpack.service.problems import ErrorAnswer

PREFIX = "/_control"
_IN_IDS = str.maketrans({"/": "_", "-": "_", "{": "", "}": "", ".": "_"})
_REFUSALS = {
    400: "The body does not fit; the message names the member.",
    403: "The request is not from a program on this machine, or lacks the token.",
    404: "The record does not exist.",
    409: "The state of the record does not allow it.",
    413: "The body is larger than 64 MiB.",
    415: "The body is not application/json.",
    503: "The database cannot be used at the moment; nothing was changed. Retry-After says when to try again.",
}
_PATH_PARAMETERS = {
    "tenants": "Id of the organisation",
    "customers": "Id of the customer",
    "sessions": "Id of the session",
    "deliveries": "Number of the delivery: its id in the list of deliveries",
    "webhooks": "Id of the endpoint",
    "banks": "Id of the bank, as in the bankId of an account or in GET /v1/banks",
    "snapshots": "Name of the snapshot",
}
"""The meaning of a path's parameter, by the first segment of the path."""


def control_document(controls: tuple[Control, ...], *, token: bool = False) -> dict[str, Any]:
    """Return the document.

    Args:
        controls: Every operation.
        token: Whether requests must have the token.
    """
    bodies = [control.body for control in controls if control.body is not None]
    models: dict[type[BaseModel], None] = dict.fromkeys(
        [*bodies, *(control.answer for control in controls), ErrorAnswer]
    )
    references, definitions = models_json_schema(
        [(model, "validation") for model in models],
        by_alias=True,
        ref_template="#/components/schemas/{model}",
        schema_generator=WireSchema,
    )
    schemas = {model: references[(model, "validation")] for model in models}
    paths: dict[str, Any] = {}
    for control in controls:
        paths.setdefault(PREFIX + control.path, {})[control.method.lower()] = _item(control, schemas)
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Control API",
            "version": kycpack.__version__,
            "description": "What a test needs beyond the interface. Requests are not signed; they must come from a program on this machine, "
            "or have the token.",
        },
        "servers": [{"url": "/", "description": "The service that gave this document."}],
        "paths": paths,
        "components": {"schemas": definitions["$defs"]},
    }
    if token:
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}]
    return document


def _item(control: Control, schemas: dict[Any, Any]) -> dict[str, Any]:
    name = f"{control.method} {control.path}"
    item: dict[str, Any] = {
        "operationId": f"{control.method.lower()}{control.path}".translate(_IN_IDS),
        "summary": control.summary,
        **({"description": control.about} if control.about else {}),
        "tags": ["Control"],
        "parameters": _parameters(control.path),
        "responses": {
            "200": {
                "description": "Done.",
                "content": json_content(schemas[control.answer], "control_answers", name),
            },
            **{
                str(status): {
                    "description": f"{HTTPStatus(status).phrase}. {meaning}",
                    "content": {"application/json": {"schema": schemas[ErrorAnswer]}},
                }
                for status, meaning in _REFUSALS.items()
                if control.body is not None or status not in {400, 413, 415}
            },
        },
    }
    if control.body is not None:
        # An absent body is an empty object, which some operations accept.
        required = any(field.is_required() for field in control.body.model_fields.values())
        item["requestBody"] = {
            "required": required,
            "content": json_content(schemas[control.body], "control_requests", name),
        }
    return item


def _parameters(path: str) -> list[dict[str, Any]]:
    parts = path.split("/")
    return [
        {
            "name": part[1:-1],
            "in": "path",
            "required": True,
            "description": _PATH_PARAMETERS[parts[1]],
            "schema": {"type": "string"},
        }
        for part in parts
        if part.startswith("{")
    ]
