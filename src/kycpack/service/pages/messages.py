"""Pages that explain in a friendly way why a link does not work, without saying whom it was for."""

from __future__ import annotations

from kycpack.service.pages.screen import Screen
from kycpack.service.problems import RefusedError

_TEXTS = {
    "session_expired": (
        "This link has expired",
        "For your safety, links like this one work for 7 days. Ask the organisation that sent it for a new one.",
    ),
    "session_complete": (
        "You have already finished",
        "Everything has been sent. There is nothing left for you to do, and you can close this page.",
    ),
    "form_token_invalid": (
        "Please open the page again",
        "This form was open for too long, or your browser does not accept cookies. Continue from the link you were sent.",
    ),
    "request_too_large": (
        "That file is too large",
        "Each file can be up to 8 MB. Go back and choose a smaller one.",
    ),
    "too_many_files": (
        "Too many files",
        "You have sent more files than this check can accept. Your earlier files were kept; continue with those.",
    ),
    "session_in_review": (
        "You have already finished",
        "Everything has been sent and is being reviewed. There is nothing left for you to do, and you can close this page.",
    ),
    "bank_unavailable": (
        "Your bank cannot be reached",
        "The bank cannot be reached at the moment. Wait a few minutes, then open the link you were sent again.",
    ),
    "payment_closed": (
        "This payment is already finished",
        "No further payment was taken. Open the payment link again to see the result.",
    ),
}
_UNKNOWN = (
    "We could not find this page",
    "The link may be incomplete. Check that you copied all of it, or ask the organisation that sent it for a new one.",
)
_OTHERWISE = (
    "That did not work",
    "Go back to the link you were sent and try again. If it keeps happening, tell the organisation that sent it.",
)
_GONE = 410


def message_for(refused: RefusedError) -> Screen:
    """Return the page that explains a refusal."""
    status = _GONE if refused.code == "session_expired" else refused.status
    fallback = _UNKNOWN if status == 404 else _OTHERWISE
    title, text = _TEXTS.get(refused.code, fallback)
    return Screen("message.html", {"title": title, "text": text}, status)


def unknown_link() -> RefusedError:
    """404: the link is not valid."""
    return RefusedError(404, "link_unknown", "Link not found")
