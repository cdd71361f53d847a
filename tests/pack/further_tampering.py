"""Kinds of tampering that were written down in one sitting before the checks were looked at for them, and then tried."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pikepdf
import pyarrow as pa
import pyarrow.parquet as pq
from tests.pack.tampering import (
    FIGURES,
    HASH,
    REPLAY,
    Kind,
    _bag_anew,
    _edit_workbook,
    _set,
    _tags_anew,
    append,
    edit_frame,
    edit_json,
    edit_pdf,
    replace,
)

_INDEX, _HTML, _ORDER = "evidence/index.json", "data/report/review.html", "order.json"


def _entry(operation: str, **changes: Any) -> Callable[[Any], None]:
    def change(index: Any) -> None:
        next(one for one in index["entries"] if one["operation"] == operation).update(changes)

    return change


def _no_refusals(index: Any) -> None:
    kept = [one for one in index["entries"] if one["outcome"] == "answered"]
    assert len(kept) < len(index["entries"])
    index["entries"] = kept


def _blanks(pack: Path) -> None:
    path = pack / "data/evidence/E-11.json"
    path.write_bytes(json.dumps(json.loads(path.read_bytes()), indent=1).encode())


def _renamed_body(pack: Path) -> None:
    folder = pack / "data/evidence"
    (folder / "E-11.json").rename(folder / "E-99.json")
    edit_json(
        _INDEX,
        lambda index: next(one for one in index["entries"] if one["id"] == "E-11").update(file="E-99.json"),
    )(pack)


def _emptied(name: str) -> Callable[[Path], None]:
    def act(pack: Path) -> None:
        path = pack / f"data/frames/{name}.parquet"
        table = pq.read_table(path)
        assert table.num_rows
        pq.write_table(table.slice(0, 0), path)

    return act


def _cell(column: str, value: Any) -> Callable[[pd.DataFrame], None]:
    def change(frame: pd.DataFrame) -> None:
        assert len(frame)
        frame[column] = frame[column].astype(object)
        frame.loc[frame.index[0], column] = value

    return change


def _noted_parquet(pack: Path) -> None:
    path = pack / "data/frames/credits.parquet"
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({"decision": "approved"}), path)


def _floats(pack: Path) -> None:
    path = pack / "data/frames/credits.parquet"
    table = pq.read_table(path)
    place = table.schema.get_field_index("amount_minor")
    pq.write_table(table.set_column(place, "amount_minor", table["amount_minor"].cast(pa.float64())), path)


def _figure(change: Callable[[Any], Any]) -> Callable[[Path], None]:
    def act(document: Any) -> None:
        change(next(one for one in document["figures"] if one["origins"][0]["operation"] == "sum"))

    return edit_json("figure_map.json", act)


def _other_rows(figure: Any) -> None:
    figure["origins"][0]["rows"] = {"account_id": ["nobody"]}


def _no_figure(document: Any) -> None:
    document["unmapped"].append(
        {"place": "x", "documents": [], "printed": document["figures"].pop(0)["printed"], "numbers": []}
    )


def _excused(document: Any) -> None:
    one = document["figures"].pop(
        next(n for n, one in enumerate(document["figures"]) if one["origins"][0]["operation"] == "sum")
    )
    document["not_figures"].append(
        {"place": "everywhere", "why": "nothing", "printed": [one["printed"].split()[0]]}
    )


def _no_pointers(document: Any) -> None:
    document["pointers"] = {}


def _other_file(document: Any) -> None:
    document["files"]["E-11"] = "evidence/E-12.json"


def _notebook(change: Callable[[Any], Any], *names: str) -> Callable[[Path], None]:
    def act(pack: Path) -> None:
        for name in names or ("report/review.ipynb",):
            path = pack / "data" / name
            document = json.loads(path.read_bytes())
            change(document)
            path.write_bytes(json.dumps(document, sort_keys=True, indent=1).encode() + b"\n")

    return act


def _picture(document: Any) -> None:
    code = next(cell for cell in document["cells"] if cell.get("outputs"))
    code["outputs"].append(
        {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo="}, "metadata": {}}
    )


def _hidden_cell(document: Any) -> None:
    document["cells"][-1]["metadata"] = {"jupyter": {"outputs_hidden": True}}


def _other_kernel(document: Any) -> None:
    document["metadata"]["kernelspec"] = {"name": "other", "display_name": "Approve"}


def _words_alike(document: Any) -> None:
    cell = next(cell for cell in document["cells"] if cell["cell_type"] == "markdown")
    cell["source"] = "# Approved"


def _bookmark(document: pikepdf.Pdf) -> None:
    with document.open_outline() as outline:
        outline.root[0].title = "Approved"


def _cropped(document: pikepdf.Pdf) -> None:
    document.pages[0].CropBox = pikepdf.Array([0, 500, 400, 800])


def _turned(document: pikepdf.Pdf) -> None:
    document.pages[0].Rotate = 180


def _invisible(document: pikepdf.Pdf) -> None:
    page = document.pages[0]
    page.contents_add(b"q 3 Tr", prepend=True)
    page.contents_add(b"Q")


def _swapped_pages(document: pikepdf.Pdf) -> None:
    document.pages.insert(1, document.pages[2])
    del document.pages[3]


def _white(document: pikepdf.Pdf) -> None:
    document.pages[0].contents_add(b"q 1 1 1 rg 0 300 600 200 re f Q")


def _link_elsewhere(document: pikepdf.Pdf) -> None:
    links = [note for page in document.pages for note in page.get("/Annots", [])]
    assert links
    links[0].Rect = pikepdf.Array([0, 0, 600, 800])


def _described(document: pikepdf.Pdf) -> None:
    document.attachments["figures.json"].obj.Desc = "approved"


FURTHER_KINDS = (
    Kind("The note of an entry of the evidence is changed", edit_json(_INDEX, _entry("customers.get", note="checked by hand")), HASH, FIGURES),
    Kind("The status of an answer is changed", edit_json(_INDEX, _entry("customers.get", status=203)), HASH, FIGURES),
    Kind("An answer is dated a year later", edit_json(_INDEX, _entry("customers.get", requested_at="2027-06-01T09:00:00Z")), HASH, FIGURES),
    Kind("An answer has another request id", edit_json(_INDEX, _entry("customers.get", request_id="0")), HASH, FIGURES),
    Kind("An answer is said to be of another shape", edit_json(_INDEX, _entry("bank_accounts.transactions", adapter="plaid")), HASH, FIGURES),
    Kind("An answer is said to have been redacted", edit_json(_INDEX, _entry("customers.get", redacted=["lastName"])), HASH, FIGURES),
    Kind("What was refused and not asked for is taken out of the evidence", edit_json(_INDEX, _no_refusals), HASH, FIGURES),
    Kind("An answer is written with other blanks", _blanks, HASH, FIGURES),
    Kind("A file of evidence has another name", _renamed_body, HASH, FIGURES),
    Kind("The hash of the index of evidence is taken away", lambda pack: (pack / "data/evidence/index.sha256").unlink(), HASH, FIGURES, _bag_anew),
    Kind("The order has a member of its own", edit_json(_ORDER, _set(approved_by="M. Manager")), HASH, FIGURES),
    Kind("The order names another case by a letter that looks alike", edit_json(_ORDER, _set(case_id="c\u0430se-2026-0042")), HASH, FIGURES),
    Kind("The manifest leaves out a library", edit_json("manifest.json", lambda document: document["libraries"].pop(min(document["libraries"]))), HASH, REPLAY),
    Kind("The figures have a member of their own", edit_json("figures.json", _set(approved_by="M. Manager")), HASH, FIGURES),
    Kind("A figure of the map rests on other rows", _figure(_other_rows), HASH, FIGURES),
    Kind("A figure of the map is printed in another document", _figure(lambda one: one.update(documents=["report/statement.pdf"])), HASH, REPLAY),
    Kind("A figure is taken out of the map", edit_json("figure_map.json", _no_figure), HASH, REPLAY),
    Kind("A sum is said to be no figure", edit_json("figure_map.json", _excused), HASH, REPLAY),
    Kind("The map leads to no evidence", edit_json("figure_map.json", _no_pointers), HASH, REPLAY),
    Kind("The map names another file of evidence", edit_json("figure_map.json", _other_file), HASH, FIGURES),
    Kind("The limits of the bank data are emptied", _emptied("limits"), HASH, FIGURES),
    Kind("A check is cleared in its frame", edit_frame("checks", _cell("value", "approved")), HASH, FIGURES),
    Kind("The words of a finding are softened", edit_frame("findings", _cell("sentence", "Nothing to see")), HASH, FIGURES),
    Kind("A stream is of another type", edit_frame("streams", _cell("type", "gift")), HASH, FIGURES),
    Kind("A comparison has another outcome", edit_frame("consistency", _cell("verdict", "different")), HASH, FIGURES),
    Kind("A frame carries a note in its file", _noted_parquet, HASH, FIGURES),
    Kind("A column of a frame has another type", _floats, HASH, FIGURES),
    Kind("A cell of the page has a tip", replace(_HTML, b"<td ", b"<td title='Approve' "), HASH, FIGURES),
    Kind("The page has a comment", replace(_HTML, b"</body>", b"<!-- approved --></body>"), HASH, FIGURES),
    Kind("The page leads elsewhere by itself", replace(_HTML, b"<title>", b"<meta http-equiv='refresh' content='0;url=https://example.invalid/'><title>"), HASH, FIGURES),
    Kind("The page is in another language", replace(_HTML, b'lang="en-GB"', b'lang="de"'), HASH, FIGURES),
    Kind("The notebook shows a picture more", _notebook(_picture), HASH, REPLAY),
    Kind("An output of the notebook is folded away", _notebook(_hidden_cell), HASH, REPLAY),
    Kind("The notebook names another kernel", _notebook(_other_kernel), HASH, REPLAY),
    Kind("Both notebooks have other words", _notebook(_words_alike, "report/review.ipynb", "notebook.ipynb"), HASH, FIGURES),
    Kind("A bookmark of the PDF has other words", edit_pdf("review", _bookmark), HASH, REPLAY),
    Kind("Page one of the PDF is cropped", edit_pdf("review", _cropped), HASH, FIGURES),
    Kind("Page one of the PDF is turned round", edit_pdf("review", _turned), HASH, FIGURES),
    Kind("The text of page one is invisible", edit_pdf("review", _invisible), HASH, REPLAY),
    Kind("A white field lies over page one", edit_pdf("review", _white), HASH, REPLAY),
    Kind("Two pages of the PDF change places", edit_pdf("review", _swapped_pages), HASH, FIGURES),
    Kind("A link of the PDF covers the page", edit_pdf("review", _link_elsewhere), HASH, REPLAY),
    Kind("The attached figures have a description", edit_pdf("review", _described), HASH, REPLAY),
    Kind("The workbook names another author", _edit_workbook(b"<dc:creator>", b"<dc:creator>M. Manager "), HASH, REPLAY),
    Kind("The workbook has a name for cells", _edit_workbook(b"</definedNames>", b'<definedName name="Total">91200</definedName></definedNames>'), HASH, FIGURES),
    Kind("The sheets of the workbook are in another order", _edit_workbook(b'r:id="rId2"', b'r:id="rId3"'), HASH, FIGURES),
    Kind("The case's label has a line more", append("bag-info.txt", b"Contact-Name: M. Manager\n"), HASH, FIGURES, _tags_anew),
    Kind("The policy has a comment", append("data/policy.yaml", b"# approved\n"), HASH, REPLAY),
    Kind("The words of a rule are softened", replace("data/policy.yaml", b"title: ", b"title: No "), HASH, REPLAY),
)  # fmt: skip
"""Each with what finds it."""
