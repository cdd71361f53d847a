"""The OpenAPI document of the control API, made from its operations."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import models_json_schema

import kycpack
from kycpack.service.control.operation import Control

PREFIX = "/_control"
_IN_IDS = str.maketrans({"/": "_", "-": "_", "{": "", "}": "", ".": "_"})
_REFUSALS = {
    "400": "The body does not fit.",
    "403": "Not asked by a program on this machine, or without the token.",
    "404": "There is no such record.",
    "409": "The state of the record does not allow it.",
    "503": "The database cannot be used at the moment; nothing was changed.",
}


def control_document(controls: tuple[Control, ...], *, token: bool = False) -> dict[str, Any]:
    """Return the document.

    Args:
        controls: Every operation.
        token: Whether requests have to carry the token.
    """
    models = tuple(dict.fromkeys(control.body for control in controls if control.body is not None))
    references, definitions = models_json_schema(
        [(model, "validation") for model in models],
        by_alias=True,
        ref_template="#/components/schemas/{model}",
    )
    paths: dict[str, Any] = {}
    for control in controls:
        item = _item(control)
        if control.body is not None:
            schema = references[(control.body, "validation")]
            item["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
        paths.setdefault(PREFIX + control.path, {})[control.method.lower()] = item
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Control API",
            "version": kycpack.__version__,
            "description": "What a test needs beyond the interface. Unsigned; it answers to programs on this machine, "
            "and elsewhere to whoever has the token.",
        },
        "servers": [{"url": "/", "description": "The service that gave this document."}],
        "paths": paths,
        "components": {"schemas": definitions.get("$defs", {})},
    }
    if token:
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}]
    return document


def _item(control: Control) -> dict[str, Any]:
    return {
        "operationId": f"{control.method.lower()}{control.path}".translate(_IN_IDS),
        "summary": control.summary,
        **({"description": control.about} if control.about else {}),
        "tags": ["Control"],
        "parameters": [
            {"name": part[1:-1], "in": "path", "required": True, "schema": {"type": "string"}}
            for part in control.path.split("/")
            if part.startswith("{")
        ],
        "responses": {
            "200": {
                "description": "Done.",
                "content": {"application/json": {"schema": {"type": "object"}}},
            },
            **{status: {"description": meaning} for status, meaning in _REFUSALS.items()},
        },
    }
