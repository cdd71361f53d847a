"""The addresses of the reference. Its template goes through the OpenAPI document itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
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
        templates = templates_in("kycpack.service.reference", kind=_kind, resolved=_resolved, pretty=_pretty)
        html = templates.get_template("reference.html").render(
            document=shown, groups=_groups(shown), source=source
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


def _groups(document: Mapping[str, Any]) -> dict[str, list[tuple[str, str, Any]]]:
    """Return the operations of a document by the title of their tag, then its webhooks: method, path or event, and operation."""
    titles = {tag["name"]: tag.get("x-displayName", tag["name"]) for tag in document.get("tags", ())}
    groups: dict[str, list[tuple[str, str, Any]]] = {}
    for method, path, item in _operations(document["paths"]):
        tag = (item.get("tags") or ["other"])[0]
        title = titles.get(tag, tag.replace("_", " ").capitalize())
        groups.setdefault(title, []).append((method, path, item))
    hooks = list(_operations(document.get("webhooks", {})))
    return groups | ({"Sent to you": hooks} if hooks else {})


def _operations(paths: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for path, item in paths.items():
        yield from ((method.upper(), path, item[method]) for method in _METHODS if method in item)


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


def _resolved(given: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a part of the document, or the one that it refers to."""
    if "$ref" not in given:
        return given
    found: Any = document
    for part in given["$ref"].removeprefix("#/").split("/"):
        found = found[part]
    return dict(found)


def _pretty(example: Any) -> str:
    return json.dumps(json.loads(dump_json(example)), indent=2, ensure_ascii=False)
