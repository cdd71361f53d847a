"""The addresses of the reference."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kycpack.models.json import dump_json
from kycpack.service.pages.screen import page_headers, templates_in
from kycpack.service.request_log import trace_of

STYLESHEET = "/console.css"
"""The stylesheet of the reference and the console."""


def reference_route(path: str, document: Callable[[], Mapping[str, Any]], source: str) -> Route:
    """Return the route of a reference.

    Args:
        path: Path of the reference.
        document: Returns the OpenAPI document.
        source: Address of the document itself.
    """

    async def reference(request: Request) -> Response:
        trace_of(request.scope).unlisted = True
        shown = document()
        html = (
            templates_in("kycpack.service.reference")
            .get_template("reference.html")
            .render(info=shown["info"], groups=groups_of(shown), shapes=shapes_of(shown), source=source)
        )
        return Response(html, 200, page_headers(()), "text/html; charset=utf-8")

    return Route(path, reference, methods=["GET"], include_in_schema=False)


def stylesheet_route() -> Route:
    """Return the route of the stylesheet."""

    async def stylesheet(request: Request) -> Response:
        trace_of(request.scope).unlisted = True
        css = files("kycpack.service.reference").joinpath("console.css").read_bytes()
        return Response(css, media_type="text/css", headers={"Cache-Control": "no-cache"})

    return Route(STYLESHEET, stylesheet, methods=["GET"], include_in_schema=False)


_METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Row:
    """A parameter or a member of a schema."""

    name: str
    kind: str
    link: str
    required: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """One operation.

    Attributes:
        anchor: Its anchor on the page.
        method: HTTP method in capitals.
        path: Path template, or the event of a webhook.
        summary: One line.
        description: Further text; may be empty.
        needs: Permission and area, in words.
        parameters: Parameters in path, query and headers.
        request: Kind of the body, with its link; None if there is none.
        example: Body as JSON text.
        answers: Status, meaning, kind and link of the body, and an example.
    """

    anchor: str
    method: str
    path: str
    summary: str
    description: str
    needs: str
    parameters: tuple[Row, ...]
    request: tuple[str, str] | None
    example: str
    answers: tuple[tuple[str, str, str, str, str], ...]


@dataclass(frozen=True, slots=True)
class OperationGroup:
    """Operations of one tag."""

    title: str
    entries: tuple[ReferenceEntry, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """A schema with its members; `kind` describes a schema without members."""

    name: str
    title: str
    meaning: str
    kind: str
    rows: tuple[Row, ...]


def groups_of(document: Mapping[str, Any]) -> tuple[OperationGroup, ...]:
    """Return the operations of a document by tag, then its webhooks."""
    held: dict[str, list[ReferenceEntry]] = {}
    names = {tag["name"]: tag.get("x-displayName", tag["name"]) for tag in document.get("tags", ())}
    for path, item in document["paths"].items():
        for method in _METHODS:
            if method in item:
                tag = (item[method].get("tags") or ["other"])[0]
                held.setdefault(tag, []).append(_entry(document, path, method, item[method]))
    groups = [
        OperationGroup(names.get(tag, tag.replace("_", " ").capitalize()), tuple(entries))
        for tag, entries in held.items()
    ]
    hooks = [
        _entry(document, event, method, item[method])
        for event, item in document.get("webhooks", {}).items()
        for method in _METHODS
        if method in item
    ]
    return (*groups, *((OperationGroup("Sent to you", tuple(hooks)),) if hooks else ()))


def shapes_of(document: Mapping[str, Any]) -> tuple[Shape, ...]:
    """Return the schemas of a document by name."""
    schemas = document["components"]["schemas"]
    return tuple(_shape(name, schemas[name]) for name in sorted(schemas))


def _entry(document: Mapping[str, Any], path: str, method: str, item: Mapping[str, Any]) -> ReferenceEntry:
    parameters = tuple(_parameter(_resolved(document, given)) for given in item.get("parameters", ()))
    body = item.get("requestBody", {}).get("content", {}).get("application/json", {})
    needs = [item["x-permission"]] if "x-permission" in item else []
    if "x-area" in item:
        needs.append(f"area {item['x-area']}")
    return ReferenceEntry(
        anchor=item["operationId"],
        method=method.upper(),
        path=path,
        summary=item.get("summary", ""),
        description=item.get("description", ""),
        needs=", ".join(needs),
        parameters=parameters,
        request=_kind(body["schema"]) if "schema" in body else None,
        example=_json(body["example"]) if "example" in body else "",
        answers=tuple(_answer(document, status, given) for status, given in item["responses"].items()),
    )


def _answer(
    document: Mapping[str, Any], status: str, given: Mapping[str, Any]
) -> tuple[str, str, str, str, str]:
    answer = _resolved(document, given)
    content = answer.get("content", {})
    body = content.get("application/json", {})
    kind, link = _kind(body["schema"]) if "schema" in body else (", ".join(content), "")
    example = _json(body["example"]) if "example" in body and status == "200" else ""
    return status, answer.get("description", ""), kind, link, example


def _parameter(given: Mapping[str, Any]) -> Row:
    kind, link = _kind(given.get("schema", {}))
    return Row(
        given["name"],
        f"{kind}, in {given['in']}",
        link,
        given.get("required", False),
        given.get("description", ""),
    )


def _shape(name: str, schema: Mapping[str, Any]) -> Shape:
    required = set(schema.get("required", ()))
    rows = []
    for member, part in schema.get("properties", {}).items():
        kind, link = _kind(part)
        rows.append(Row(member, kind, link, member in required, part.get("description", "")))
    return Shape(
        name, schema.get("title", name), schema.get("description", ""), _kind(schema)[0], tuple(rows)
    )


def _kind(schema: Mapping[str, Any]) -> tuple[str, str]:
    """Return in words what a schema allows, and the anchor of the schema it refers to."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return name, f"#schema-{name}"
    options = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
    if options:
        parts = [_kind(option) for option in options]
        return " or ".join(dict.fromkeys(words for words, _ in parts)), next(
            (link for _, link in parts if link), ""
        )
    if "const" in schema:
        return json.dumps(schema["const"]), ""
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"]), ""
    if schema.get("type") == "array":
        words, link = _kind(schema.get("items", {}))
        return f"array of {words}", link
    words = schema.get("type", "anything")
    words = " or ".join(words) if isinstance(words, list) else str(words)
    return (f"{words} ({schema['format']})" if "format" in schema else words), ""


def _resolved(document: Mapping[str, Any], given: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in given:
        return given
    found: Any = document
    for part in given["$ref"].removeprefix("#/").split("/"):
        found = found[part]
    return dict(found)


def _json(example: Any) -> str:
    return json.dumps(json.loads(dump_json(example)), indent=2, ensure_ascii=False)
