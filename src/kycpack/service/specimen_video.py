"""A generated video that is clearly a specimen: WebM, with VP8 key frames from the image library.

Source: Matroska element ids, RFC 9559; WebM container guidelines; WebP container specification (the chunk `VP8 ` is a key frame).
"""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping, Sequence

from PIL import Image

from kycpack.service.specimens import draw_portrait

_WIDTH, _HEIGHT = 240, 300
_FRAMES, _FRAME_MS = 10, 200
_LEAN = 6
"""Degrees by which the drawing leans from side to side."""


def draw_portrait_video(shown: Mapping[str, str]) -> bytes:
    """Return a WebM of two seconds in which a drawn portrait leans from side to side; it does not show a real person."""
    still = Image.open(io.BytesIO(draw_portrait(shown))).convert("RGB").resize((_WIDTH, _HEIGHT))
    paper = still.getpixel((0, 0))
    steps = (abs(step % 4 - 2) - 1 for step in range(_FRAMES))
    return _webm([_key_frame(still.rotate(step * _LEAN, fillcolor=paper)) for step in steps])


def _key_frame(image: Image.Image) -> bytes:
    """Return an image as a VP8 key frame."""
    out = io.BytesIO()
    image.save(out, format="WEBP", quality=70)
    riff = out.getvalue()
    place = 12
    while place < len(riff):
        name, size = riff[place : place + 4], int.from_bytes(riff[place + 4 : place + 8], "little")
        if name == b"VP8 ":
            return riff[place + 8 : place + 8 + size]
        place += 8 + size + size % 2
    raise ValueError("the image library wrote no VP8 frame")


def _webm(frames: Sequence[bytes]) -> bytes:
    header = _element(
        0x1A45DFA3,
        _number(0x4286, 1),
        _number(0x42F7, 1),
        _number(0x42F2, 4),
        _number(0x42F3, 8),
        _element(0x4282, b"webm"),
        _number(0x4287, 2),
        _number(0x4285, 2),
    )
    info = _element(
        0x1549A966,
        _number(0x2AD7B1, 1_000_000),
        _element(0x4489, struct.pack(">d", float(len(frames) * _FRAME_MS))),
        _element(0x4D80, b"kycpack"),
        _element(0x5741, b"kycpack"),
    )
    picture = _element(0xE0, _number(0xB0, _WIDTH), _number(0xBA, _HEIGHT))
    track = _element(
        0xAE, _number(0xD7, 1), _number(0x73C5, 1), _number(0x83, 1), _element(0x86, b"V_VP8"), picture
    )
    blocks = [
        _element(0xA3, b"\x81" + struct.pack(">h", index * _FRAME_MS) + b"\x80" + frame)
        for index, frame in enumerate(frames)
    ]
    cluster = _element(0x1F43B675, _number(0xE7, 0), *blocks)
    return header + _element(0x18538067, info, _element(0x1654AE6B, track), cluster)


def _element(name: int, *parts: bytes) -> bytes:
    content = b"".join(parts)
    size = (len(content) | 1 << 56).to_bytes(8, "big")  # a length of eight bytes, marked by its first bit
    return name.to_bytes((name.bit_length() + 7) // 8, "big") + size + content


def _number(name: int, value: int) -> bytes:
    return _element(name, value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big"))
