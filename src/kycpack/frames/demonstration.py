"""Whether evidence is demonstration data: answers of the service on this machine about invented people."""

from __future__ import annotations

from kycpack.frames.flatten import Frames

_SPECIMEN = " (specimen)"
_CONTROL = "control"


def is_demonstration(frames: Frames) -> bool:
    """Return whether a customer's evidence comes from the service on this machine and is about an invented person.

    A session that the register knows from the control API was made by that API, which only the service on this machine has; and only
    that service draws its own pictures, which it calls specimens.

    Args:
        frames: Frames of one customer.
    """
    sources = {
        *frames.sessions["learned_from"].dropna().astype(str),
        *frames.payments["learned_from"].dropna().astype(str),
    }
    descriptions = frames.media["description"].dropna().astype(str)
    return _CONTROL in sources or bool(descriptions.str.endswith(_SPECIMEN).any())
