"""Media of a session: uploaded files, or generated specimens that cannot be mistaken for real documents.

A generated file is drawn from the results when it is fetched, so that thousands of sessions need no space.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select

from kycpack.models.json import dump_json, parse_json
from kycpack.service.customers import full_name
from kycpack.service.links import Links
from kycpack.service.results import Subject
from kycpack.service.rows import is_uuid, require_row
from kycpack.service.schema import media
from kycpack.service.specimens import draw_document, draw_portrait, draw_portrait_video, draw_proof_of_address


def add_media(
    connection: Connection, session: Row[Any], results: Mapping[str, Any], subject: Subject, *, video: bool
) -> None:
    """Add specimens for those sections of a complete session's results without uploaded files.

    Args:
        connection: A writing connection.
        session: The session's row.
        results: Its results.
        subject: The person in the results.
        video: Whether enhanced identity was ordered, which includes a video.
    """
    rows = _rows(connection, session)
    position, present = len(rows), {row.type for row in rows}
    for section, kind, file_name, content_type, description in _GENERATED:
        if section in results and kind not in present and (video or kind != _VIDEO):
            shown = _shown(kind, results, subject)
            row = _row(session, position, kind, file_name, content_type, description)
            connection.execute(insert(media).values(**row, subject_json=dump_json(shown).decode()))
            position += 1


def store_upload(
    connection: Connection,
    session: Row[Any],
    *,
    kind: str,
    file_name: str,
    content_type: str,
    description: str,
    content: bytes,
) -> None:
    """Store a file that a person uploaded in the portal; a later one of the same kind is kept as well."""
    position = len(_rows(connection, session))
    row = _row(session, position, kind, file_name, content_type, description)
    connection.execute(insert(media).values(**row, subject_json="{}", content=content))


def media_access(
    connection: Connection, session: Row[Any], links: Links, base_url: str, now: datetime
) -> dict[str, Any]:
    """Return the media of a session with links that are valid for two hours."""
    items = [
        {
            "id": row.id,
            "fileName": row.file_name,
            "contentType": row.content_type,
            "description": row.description,
            "type": row.type,
            "downloadUrl": links.download(base_url, row.id, now),
        }
        for row in _rows(connection, session)
    ]
    return {"sessionId": session.id, "media": items}


def find_media(connection: Connection, session: Row[Any], media_id: str) -> str:
    """Return the id of a media item of a session.

    Raises:
        RefusedError: 404 unknown.
    """
    wanted = select(media.c.id).where(own_media(session), media.c.id == media_id.lower())
    return str(require_row(connection, wanted if is_uuid(media_id) else None, "media").id)


def own_media(session: Row[Any]) -> Any:
    """Return the condition for the media of a session."""
    return (media.c.session_id == session.id) & (media.c.tenant_id == session.tenant_id)


def tenant_of_media(connection: Connection, media_id: str) -> str | None:
    """Return the organisation of an item, None if the item is unknown."""
    own = select(media.c.tenant_id).where(media.c.id == media_id)
    return connection.scalar(own) if is_uuid(media_id) else None


def read_media(connection: Connection, media_id: str) -> tuple[bytes, str, str]:
    """Return the content, content type and file name of an item whose link has been checked.

    Raises:
        RefusedError: 404 unknown.
    """
    row = require_row(connection, select(media).where(media.c.id == media_id), "media")
    content = row.content if row.content is not None else _DRAWN[row.type](parse_json(row.subject_json))
    return content, row.content_type, row.file_name


_VIDEO = "portrait_video"
_GENERATED = (
    (
        "document",
        "document_front",
        "document-front.png",
        "image/png",
        "Front of the identity document (specimen)",
    ),
    (
        "address",
        "proof_of_address",
        "proof-of-address.pdf",
        "application/pdf",
        "Proof of address (specimen)",
    ),
    ("identity", "portrait", "portrait.png", "image/png", "Portrait of the identity check (specimen)"),
    ("identity", _VIDEO, "portrait-video.webm", "video/webm", "Video of the identity check (specimen)"),
)
_DRAWN = {
    "document_front": draw_document,
    "proof_of_address": draw_proof_of_address,
    "portrait": draw_portrait,
    _VIDEO: draw_portrait_video,
}


def _shown(kind: str, results: Mapping[str, Any], subject: Subject) -> dict[str, str]:
    if kind == "document_front":
        section = results["document"]
        return {**_members(section, "holder"), **_members(section, "document"), "seed": subject.seed}
    if kind == "proof_of_address":
        return {"name": full_name(subject), **_members(results["address"], "extractedAddress")}
    return {"seed": subject.seed}


def _members(section: Any, group: str) -> dict[str, str]:
    members = section.get(group) if isinstance(section, Mapping) else None
    if not isinstance(members, Mapping):
        return {}
    return {name: str(value) for name, value in members.items() if not isinstance(value, Mapping | list)}


def _row(
    session: Row[Any], position: int, kind: str, file_name: str, content_type: str, description: str
) -> dict[str, Any]:
    return {
        "id": str(uuid4()),
        "tenant_id": session.tenant_id,
        "session_id": session.id,
        "position": position,
        "type": kind,
        "file_name": file_name,
        "content_type": content_type,
        "description": description,
    }


def _rows(connection: Connection, session: Row[Any]) -> list[Row[Any]]:
    columns = [column for column in media.c if column is not media.c.content]
    own = select(*columns).where(own_media(session))
    return list(connection.execute(own.order_by(media.c.position)))
