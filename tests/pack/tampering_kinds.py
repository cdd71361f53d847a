"""Kinds of tampering with a pack, and what finds each: as it is, and with every hash that needs no key recomputed."""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import fpdf
import pandas as pd
import pikepdf
from tests.pack.tampering import (
    FIGURES,
    HASH,
    REPLAY,
    Kind,
    _bag_anew,
    _edit_workbook,
    _set,
    _tags_anew,
    add,
    append,
    edit_frame,
    edit_json,
    edit_pdf,
    replace,
)

from kycpack.frames.plain_table import plain_table
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack.compute.parquet import table_bytes
from kycpack.pack.seal.write import review_page


def _page(text: str) -> bytes:
    document = fpdf.FPDF()
    document.add_page()
    document.set_font("helvetica", size=24)
    document.cell(text=text)
    return bytes(document.output())


def _cover_page_one(document: pikepdf.Pdf) -> None:
    with pikepdf.open(BytesIO(_page("Recommended level: Approve"))) as other:
        document.pages[0].add_overlay(other.pages[0])


def _only_page(pack: Path) -> None:
    (pack / "data/report/review.pdf").write_bytes(_page("Recommended level: Approve"))


def _incremental_update(pack: Path) -> None:
    path = pack / "data/report/review.pdf"
    content = path.read_bytes()
    start = content.rindex(b"startxref") + len(b"startxref\n")
    previous = int(content[start:].split(b"\n")[0])
    with pikepdf.open(BytesIO(content)) as document:
        size, root = len(document.objects), document.trailer.Root.objgen[0]
        page = document.pages[0].objgen[0]
    text = b"BT /F1 40 Tf 50 700 Td (Approve) Tj ET"
    stream = b"%d 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n" % (size, len(text), text)
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer\n<< /Size %d /Root %d 0 R /Prev %d /Kp %d >>\n" % (
        *(size, len(content), size + 1, root, previous, page),
    )
    path.write_bytes(content + stream + table + b"startxref\n%d\n%%%%EOF\n" % (len(content) + len(stream)))


def _orphan(document: pikepdf.Pdf) -> None:
    document.make_stream(b"hidden figures")
    document.Root.Kp = document.make_indirect(
        pikepdf.Dictionary(Hidden=document.make_stream(b"level: approve"))
    )
    del document.Root.Kp


def _orphan_bytes(pack: Path) -> None:
    path = pack / "data/report/review.pdf"
    content = path.read_bytes()
    at = content.rindex(b"\nxref\n") + 1
    hidden = b"9999 0 obj\n<< /Length 7 >>\nstream\napprove\nendstream\nendobj\n"
    moved = int(content[content.rindex(b"startxref") + 10 :].split(b"\n")[0]) + len(hidden)
    head, tail = content[:at] + hidden, content[at:]
    path.write_bytes(head + tail[: tail.rindex(b"startxref")] + b"startxref\n%d\n%%%%EOF\n" % moved)


def _bomb(document: pikepdf.Pdf) -> None:
    packed = zlib.compress(b"\0" * (80 * 1024 * 1024), 9)
    document.pages[0].Contents = pikepdf.Stream(document, packed, Filter=pikepdf.Name.FlateDecode)


def _script(document: pikepdf.Pdf) -> None:
    document.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert(1)")


def _attach(document: pikepdf.Pdf) -> None:
    document.attachments["figures.json"] = b'{"level":"approve"}'


def _attach_more(document: pikepdf.Pdf) -> None:
    document.attachments["other.txt"] = b"approve"


def _remove_page(document: pikepdf.Pdf) -> None:
    del document.pages[-1]


def _swap_statement(pack: Path) -> None:
    path = pack / "data/report/statement.pdf"
    other = path.read_bytes()
    (pack / "data/report/review.pdf").write_bytes(other)


def _blank_statement(pack: Path) -> None:
    (pack / "data/report/statement.pdf").write_bytes(_page("No statement can be made"))


def _link_folder(pack: Path) -> None:
    outside = pack.parent / "elsewhere"
    (pack / "data/frames").rename(outside)
    (pack / "data/frames").symlink_to(outside, target_is_directory=True)


def _link_file(pack: Path) -> None:
    path = pack / "data/figures.json"
    outside = pack.parent / "figures-elsewhere.json"
    path.rename(outside)
    path.symlink_to(outside)


def _zip_bomb(pack: Path) -> None:
    with zipfile.ZipFile(pack / "data/workbook.xlsx", "a", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/media/image1.png", b"\0" * (80 * 1024 * 1024))


def _payload_oxum(pack: Path) -> None:
    path = pack / "bag-info.txt"
    lines = [line for line in path.read_text().splitlines() if not line.startswith("Payload-Oxum")]
    path.write_text("\n".join([*lines, "Payload-Oxum: 1.1"]) + "\n")


def _bag_info(pack: Path) -> None:
    path = pack / "bag-info.txt"
    path.write_text(path.read_text().replace("case-2026-0042", "case-2026-0043"))


def _remove_evidence(pack: Path) -> None:
    index = pack / "data/evidence/index.json"
    document = parse_json(index.read_bytes())
    gone = next(entry for entry in document["entries"] if entry.get("file") == "E-03.json")
    document["entries"].remove(gone)
    index.write_bytes(canonical_json(document) + (b"\n" if index.read_bytes().endswith(b"\n") else b""))
    (pack / "data/evidence/E-03.json").unlink()


def _deep(pack: Path) -> None:
    (pack / "data/figures.json").write_bytes(b"[" * 200_000 + b"]" * 200_000)


def _page_and_notebook(pack: Path) -> None:
    """Forge page and notebook alike, and leave the figures alone."""
    path = pack / "data/report/review.ipynb"
    notebook = json.loads(path.read_bytes())
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown" and "recommendation" in "".join(cell["source"]):
            cell["source"] = ["# Customer review\n", "\n", "A level is a decision."]
    path.write_text(json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    manifest = parse_json((pack / "data/manifest.json").read_bytes())
    (pack / "data/report/review.html").write_bytes(review_page(manifest, notebook))


def _fifo(pack: Path) -> None:
    os.mkfifo(pack / "data/pipe")


def _first(column: str, value: Any) -> Callable[[pd.DataFrame], Any]:
    def change(frame: pd.DataFrame) -> None:
        frame.loc[frame.index[0], column] = value

    return change


def _clear_hit(frame: pd.DataFrame) -> None:
    frame.loc[frame.index[frame["outcome"] == "HIT"][0], "outcome"] = "CLEAR"


def _other_reviewer(pack: Path) -> None:
    edit_json("order.json", _set(reviewed_by="B. Boss"))(pack)
    edit_json("manifest.json", lambda m: m["case"].update(reviewed_by="B. Boss"))(pack)


KINDS = (
    Kind("One byte of a document is changed", replace("data/report/review.html", b"Customer", b"Kustomer"), HASH, FIGURES),
    Kind("An update is appended to the PDF of the review", _incremental_update, HASH, FIGURES),
    Kind("Bytes are appended to the PDF of the review", append("data/report/review.pdf", b"\n% note\n"), HASH, FIGURES),
    Kind("Bytes are appended to the PDF of the statement", append("data/report/statement.pdf", b"x"), HASH, FIGURES),
    Kind("A figure is hidden in an object that no table lists", _orphan_bytes, HASH, FIGURES),
    Kind("The PDF is another document with the same name", _only_page, HASH, FIGURES),
    Kind("The PDF of the review is replaced by that of the statement", _swap_statement, HASH, FIGURES),
    Kind("The statement is replaced by an empty one", _blank_statement, HASH, FIGURES),
    Kind("A page of the PDF is removed", edit_pdf("review", _remove_page), HASH, FIGURES),
    Kind("Page one of the PDF is covered by other words", edit_pdf("review", _cover_page_one), HASH, REPLAY),
    Kind("The figures attached to the PDF are replaced", edit_pdf("review", _attach), HASH, FIGURES),
    Kind("Another file is attached to the PDF", edit_pdf("review", _attach_more), HASH, FIGURES),
    Kind("The PDF runs a script when it is opened", edit_pdf("review", _script), HASH, FIGURES),
    Kind("A part of the PDF unfolds to 80 MB", edit_pdf("review", _bomb), HASH, FIGURES),
    Kind("A folder is a link to another place", _link_folder, HASH, HASH),
    Kind("A file is a link to another place", _link_file, HASH, HASH),
    Kind("There is a named pipe in the pack", _fifo, HASH, HASH),
    Kind("A file is added beside the bag's own", add("notes.txt"), HASH, HASH),
    Kind("A second manifest is added", add("manifest-md5.txt", b"0" * 32 + b"  data/figures.json\n"), HASH, HASH),
    Kind("A fetch list is added", add("fetch.txt", b"https://example.invalid/x 1 data/x\n"), HASH, HASH),
    Kind("A hidden file is added", add(".hidden"), HASH, HASH),
    Kind("An empty folder is added", lambda pack: (pack / "data/empty").mkdir(), HASH, HASH),
    Kind("A document is added", add("data/report/addendum.pdf"), HASH, FIGURES),
    Kind("A frame is added", add("data/frames/approved.parquet", table_bytes(plain_table(pd.DataFrame({"level": ["approve"]})).arrow)), HASH, FIGURES),
    Kind("A file of evidence is added", add("data/evidence/E-99.json", b"{}"), HASH, FIGURES),
    Kind("The stated size of the payload is changed", _payload_oxum, HASH, HASH, _tags_anew),
    Kind("The case in bag-info.txt is changed", _bag_info, HASH, FIGURES, _tags_anew),
    Kind("The figures recommend another level", edit_json("figures.json", _set(level="approve")), HASH, FIGURES),
    Kind("The figures count fewer gaps", edit_json("figures.json", _set(gap_count=0)), HASH, FIGURES),
    Kind("The figures are nested 200,000 deep", _deep, HASH, FIGURES),
    Kind("The manifest names another policy", edit_json("manifest.json", lambda m: m["policy"].update(version="9.9.9")), HASH, FIGURES),
    Kind("The manifest records a decision nobody took", edit_json("manifest.json", _set(decision={"level": "approve"})), HASH, FIGURES),
    Kind("The manifest names another reviewer", edit_json("manifest.json", lambda m: m["case"].update(reviewed_by="B. Boss")), HASH, FIGURES),
    Kind("Order and manifest name another reviewer", _other_reviewer, HASH, FIGURES),
    Kind("The manifest names another version of kycpack", edit_json("manifest.json", lambda m: m["code"].update(version="0.0.9")), HASH, REPLAY),
    Kind("The manifest names another version of a library", edit_json("manifest.json", lambda m: m["libraries"].update(numpy="1.0")), HASH, REPLAY),
    Kind("The manifest has no member `case`", edit_json("manifest.json", lambda m: m.pop("case")), HASH, FIGURES),
    Kind("The manifest is a list", lambda pack: (pack / "data/manifest.json").write_text("[]") and None, HASH, FIGURES),
    Kind("The policy is softened", append("data/policy.yaml", b"\n# softer\n"), HASH, REPLAY),
    Kind("The date in the order is changed", edit_json("order.json", _set(as_of="2026-07-01T12:00:00Z")), HASH, FIGURES),
    Kind("The country in the order is changed", edit_json("order.json", _set(country="DE")), HASH, FIGURES),
    Kind("An answer in the evidence is changed", replace("data/evidence/E-03.json", b'"attention"', b'"clear"'), HASH, FIGURES),
    Kind("An answer is taken out of the evidence", _remove_evidence, HASH, FIGURES),
    Kind("The evidence is of another customer", edit_json("evidence/index.json", _set(customerId="cus_other")), HASH, FIGURES),
    Kind("An amount in the credits is changed", edit_frame("credits", _first("amount_minor", 1)), HASH, FIGURES),
    Kind("An amount in the transactions is changed", edit_frame("transactions", _first("amount_minor", 1)), HASH, FIGURES),
    Kind("A sum in the coverage is changed", edit_frame("coverage", _first("total_minor", 1)), HASH, FIGURES),
    Kind("A frame recommends another level", edit_frame("recommendations", _first("level", "approve")), HASH, FIGURES),
    Kind("A finding is cleared in its frame", edit_frame("findings", _clear_hit), HASH, FIGURES),
    Kind("A frame holds rows of another customer", edit_frame("gaps", _first("customer_id", "cus_other")), HASH, FIGURES),
    Kind("A frame is not Parquet", lambda pack: (pack / "data/frames/gaps.parquet").write_bytes(b"PAR1") and None, HASH, FIGURES),
    Kind("A frame is removed", lambda pack: (pack / "data/frames/streams.parquet").unlink(), HASH, FIGURES),
    Kind("The workbook shows another level", _edit_workbook(b"Enhanced due diligence", b"Approve"), HASH, FIGURES),
    Kind("The workbook shows another amount", _edit_workbook(b"<v>3180.4</v>", b"<v>9180.4</v>"), HASH, FIGURES),
    Kind("The workbook unfolds to 80 MB", _zip_bomb, HASH, FIGURES),
    Kind("The workbook is not a zip file", lambda pack: (pack / "data/workbook.xlsx").write_bytes(b"PK") and None, HASH, FIGURES),
    Kind("The page shows another level", replace("data/report/review.html", b"Enhanced due diligence", b"Approve"), HASH, FIGURES),
    Kind("The page hides its text by a style", replace("data/report/review.html", b"</style>", b".kp-level{display:none}</style>"), HASH, FIGURES),
    Kind("The page shows another amount", replace("data/report/review.html", b"103,637.62", b"203,637.62"), HASH, FIGURES),
    Kind("The notebook shows another level", replace("data/report/review.ipynb", b"Enhanced due diligence", b"Approve"), HASH, FIGURES),
    Kind("The code in the notebook is changed", replace("data/report/review.ipynb", b"review.summary", b"review.summery"), HASH, FIGURES),
    Kind("Page and notebook are forged alike", _page_and_notebook, HASH, FIGURES),
    Kind("README.txt names other commands", replace("data/README.txt", b"kycpack verify", b"true"), HASH, FIGURES, _bag_anew),
    Kind("README.txt is taken away", lambda pack: (pack / "data/README.txt").unlink(), HASH, FIGURES, _bag_anew),
)  # fmt: skip
