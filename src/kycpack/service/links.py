"""Bearer links, which anyone who has them can open: portal, pay page, bank page, media.

They are not stored. A token is the id of the record and a keyed hash of kind and id, so that it cannot be guessed, or read from a
copy of the tables without the service's own key. A media link contains its expiry.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from kycpack.service.problems import RefusedError

MEDIA_LINK_LIFETIME = timedelta(hours=2)
"""Source: interface, "Limits"."""

ONBOARD, PAY, AUTHORISE = "onboard", "pay", "bank/authorise"

_DOWNLOAD = "downloads"
_LONGEST = 256
_EXPIRES = re.compile(r"[0-9]{1,12}")


class Links:
    """Creates and reads links.

    Args:
        key: The service's own key, 32 bytes.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def page(self, base_url: str, kind: str, record_id: str) -> str:
        """Return the address of a page: `ONBOARD` for a session, `PAY` for a payment, `AUTHORISE` for an attempt."""
        return f"{base_url}/{kind}/{self.token(kind, record_id)}"

    def token(self, kind: str, record_id: str) -> str:
        """Return the token for a page of a record."""
        return f"{record_id}.{self._mac(kind, record_id)}"

    def open(self, kind: str, token: str) -> str | None:
        """Return the id of the record that a token opens, None if the token is not valid."""
        record_id, _, mac = token[:_LONGEST].rpartition(".")
        right = hmac.compare_digest(self._mac(kind, record_id).encode(), mac.encode("utf-8", "surrogatepass"))
        return record_id if right else None

    def download(self, base_url: str, media_id: str, now: datetime) -> str:
        """Return the signed address of a media file, valid for two hours."""
        expires = str(int((now + MEDIA_LINK_LIFETIME).timestamp()))
        query = urlencode({"expires": expires, "signature": self._mac(_DOWNLOAD, media_id, expires)})
        return f"{base_url}/{_DOWNLOAD}/{media_id}?{query}"

    def require_download(self, media_id: str, expires: str, signature: str, now: datetime) -> None:
        """Refuse a download with an altered or expired link.

        Raises:
            RefusedError: 403.
        """
        right = hmac.compare_digest(
            self._mac(_DOWNLOAD, media_id, expires).encode(), signature.encode("utf-8", "surrogatepass")
        )
        if not (right and _EXPIRES.fullmatch(expires)):
            raise RefusedError(403, "link_invalid", "The download link is not valid")
        if now >= datetime.fromtimestamp(int(expires), UTC):
            raise RefusedError(
                403, "link_expired", "The download link has expired; request media access again"
            )

    def _mac(self, *parts: str) -> str:
        text = "\n".join(parts).encode("utf-8", "surrogatepass")
        return hmac.new(self._key, text, hashlib.sha256).hexdigest()
