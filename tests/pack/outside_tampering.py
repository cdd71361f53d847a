"""Kinds of tampering that were thought of by somebody who had not read the checks."""

from __future__ import annotations

import shutil
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pikepdf
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
    add,
    append,
    edit_frame,
    edit_json,
    edit_pdf,
    replace,
)

_MANIFEST = "manifest-sha256.txt"


def _lines(change: Callable[[list[str]], list[str]], name: str = _MANIFEST) -> Callable[[Path], None]:
    """Return what changes the lines of a tag file."""

    def act(pack: Path) -> None:
        path = pack / name
        before = path.read_text().splitlines()
        after = change(before)
        assert after != before
        path.write_text("\n".join([*after, ""]))

    return act


def _named(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    return _lines(lambda lines: [change(line) if line.endswith(f"  {name}") else line for line in lines])


def _without_line(pack: Path) -> None:
    _lines(lambda lines: [line for line in lines if not line.endswith("data/policy.yaml")])(pack)
    append("data/policy.yaml", b"\n# softer\n")(pack)


def _remove(name: str) -> Callable[[Path], None]:
    return lambda pack: (pack / name).unlink()


def _md5_only(pack: Path) -> None:
    (pack / _MANIFEST).rename(pack / "manifest-md5.txt")


def _fetched(pack: Path) -> None:
    size = (pack / "data/report/review.pdf").stat().st_size
    (pack / "data/report/review.pdf").unlink()
    (pack / "fetch.txt").write_text(f"https://example.invalid/review.pdf {size} data/report/review.pdf\n")


def _annotate(document: pikepdf.Pdf) -> None:
    note = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot,
        Subtype=pikepdf.Name.FreeText,
        Rect=[50, 700, 400, 780],
        Contents="Recommended level: Approve",
        DA="/Helv 24 Tf",
    )
    document.pages[0].Annots = pikepdf.Array([document.make_indirect(note)])


def _rename_attachment(document: pikepdf.Pdf) -> None:
    content = document.attachments["figures.json"].get_file().read_bytes()
    del document.attachments["figures.json"]
    document.attachments["other.json"] = content


def _no_attachment(document: pikepdf.Pdf) -> None:
    del document.attachments["figures.json"]


def _title(document: pikepdf.Pdf) -> None:
    document.docinfo["/Title"] = "Review of case-2026-0043"


def _hidden_layer(document: pikepdf.Pdf) -> None:
    layer = document.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name="cover"))
    document.Root.OCProperties = pikepdf.Dictionary(
        OCGs=pikepdf.Array([layer]), D=pikepdf.Dictionary(ON=pikepdf.Array([layer]))
    )


def _other_xmp(document: pikepdf.Pdf) -> None:
    content = document.Root.Metadata.read_bytes()
    assert b"cus_7Q2M4X" in content
    document.Root.Metadata.write(content.replace(b"cus_7Q2M4X", b"cus_9Z9Z9Z"))


def _other_xmp_date(document: pikepdf.Pdf) -> None:
    content = document.Root.Metadata.read_bytes()
    assert b"2026-06-30" in content
    document.Root.Metadata.write(content.replace(b"2026-06-30", b"2025-06-30"))


def _other_glyphs(document: pikepdf.Pdf) -> None:
    """Draw other glyphs than the text that a reader's program finds: each character is drawn as the next one of its font."""
    for page in document.pages:
        for font in page.Resources.Font.values():
            descendant = font.DescendantFonts[0]
            glyphs = bytearray(descendant.CIDToGIDMap.read_bytes())
            descendant.CIDToGIDMap = document.make_stream(bytes(glyphs[2:] + glyphs[:2]))


def _zipped_twice(pack: Path) -> None:
    """Send the pack as a zip file whose second entry of a name is altered, and unpack it as most tools do: the last one wins."""
    archive = pack.parent / "pack.zip"
    altered = (pack / "data/figures.json").read_bytes().replace(b'"gap_count":', b'"gap_count":1')
    with warnings.catch_warnings(), zipfile.ZipFile(archive, "w") as written:
        warnings.simplefilter("ignore")
        for path in sorted(pack.rglob("*")):
            written.write(path, path.relative_to(pack))
        written.writestr("data/figures.json", altered)
    shutil.rmtree(pack)
    with zipfile.ZipFile(archive) as read:
        read.extractall(pack)
    archive.unlink()


def _recase(frame: pd.DataFrame) -> None:
    frame["amount"] = frame.pop("amount_minor")


def _euro(frame: pd.DataFrame) -> None:
    frame["currency"] = "EUR"


def _left_out(name: str) -> Callable[[Path], None]:
    """Return what takes the last row out of a frame."""

    def act(pack: Path) -> None:
        path = pack / f"data/frames/{name}.parquet"
        table = pq.read_table(path)
        pq.write_table(table.slice(0, table.num_rows - 1), path)

    return act


def _repeat_last(frame: pd.DataFrame) -> None:
    frame.loc[len(frame)] = frame.iloc[-1]


def _case_in_both(pack: Path) -> None:
    edit_json("order.json", _set(case_id="case-2026-0043"))(pack)
    edit_json("manifest.json", lambda document: document["case"].update(id="case-2026-0043"))(pack)


def _other_hash(document: Any) -> None:
    document["files"]["report/review.pdf"]["sha256"] = "0" * 64


def _file_left_out(document: Any) -> None:
    del document["files"]["report/statement.pdf"]


def _more_credit(document: Any) -> None:
    document["credits"][0]["known_minor"] += 1_000_000


_HTML, _BODY = "data/report/review.html", "data/evidence/E-11.json"
_ROOT = "evidence/index.json"

OUTSIDE_KINDS = (
    Kind("A document is removed", _remove("data/workbook.xlsx"), HASH, FIGURES),
    Kind("A note is added in a folder of its own", add("data/extra/note.txt", b"approved"), HASH, FIGURES),
    Kind("A line is dropped from the manifest and its file altered", _without_line, HASH, HASH, _tags_anew),
    Kind("A file is named twice in the manifest", _lines(lambda lines: [*lines, f"{'0' * 64}  data/figures.json"]), HASH, HASH, _tags_anew),
    *(
        Kind(f"The manifest writes a path as `{written}`", _named("data/figures.json", lambda line, to=written: line.replace("data/figures.json", to)), HASH, HASH, _tags_anew)  # type: ignore[misc]
        for written in ("data/./figures.json", "./data/figures.json", "data//figures.json", "%64ata/figures.json")
    ),
    Kind("The manifest names a file outside of the pack", _lines(lambda lines: [*lines, f"{'0' * 64}  ../../etc/hostname"]), HASH, HASH, _tags_anew),
    Kind("The manifest leaves the pack by a detour", _lines(lambda lines: [*lines, f"{'0' * 64}  data/../../x"]), HASH, HASH, _tags_anew),
    Kind("A file has a twin in other letter case", add("data/Figures.json", b"{}"), HASH, FIGURES),
    Kind("A file has a twin with an accent", add("data/report/revi\u00e9w.pdf"), HASH, HASH),
    Kind("A hash is cut short", _named("data/figures.json", lambda line: line[:40] + line[64:]), HASH, HASH, _tags_anew),
    Kind("A hash is in capitals", _named("data/figures.json", lambda line: line[:64].upper() + line[64:]), HASH, HASH, _tags_anew),
    Kind("The manifest is of another algorithm", _md5_only, HASH, HASH, lambda _: None),
    Kind("The declaration names another version", replace("bagit.txt", b"1.0", b"0.97"), HASH, HASH, _tags_anew),
    Kind("The declaration names another encoding", replace("bagit.txt", b"UTF-8", b"ISO-8859-1"), HASH, HASH, _tags_anew),
    Kind("The declaration is removed", _remove("bagit.txt"), HASH, HASH, lambda _: None),
    Kind("The date in bag-info.txt is changed", replace("bag-info.txt", b"Bagging-Date: 2026", b"Bagging-Date: 2027"), HASH, FIGURES, _tags_anew),
    Kind("A document is to be fetched from a network", _fetched, HASH, HASH),
    Kind("The tag manifest leaves out a tag file", _lines(lambda lines: [line for line in lines if "bag-info" not in line], "tagmanifest-sha256.txt"), HASH, HASH, lambda _: None),
    Kind("A page with a decision is added beside the bag's own files", add("index.html", b"Decision: clear"), HASH, HASH),
    Kind("The manifest ends its lines with CR LF", replace(_MANIFEST, b"\n", b"\r\n"), HASH, HASH, _tags_anew),
    Kind("The manifest begins with a byte order mark", lambda pack: (pack / _MANIFEST).write_bytes(b"\xef\xbb\xbf" + (pack / _MANIFEST).read_bytes()) and None, HASH, HASH, _tags_anew),
    Kind("A total in the figures is raised", edit_json("figures.json", _more_credit), HASH, FIGURES),
    Kind("A note covers page one of the PDF", edit_pdf("review", _annotate), HASH, FIGURES),
    Kind("The PDF has a layer that can be switched", edit_pdf("review", _hidden_layer), HASH, FIGURES),
    Kind("The figures attached to the PDF have another name", edit_pdf("review", _rename_attachment), HASH, FIGURES),
    Kind("The PDF has no figures attached", edit_pdf("review", _no_attachment), HASH, FIGURES),
    Kind("The PDF has the title of another case", edit_pdf("review", _title), HASH, FIGURES),
    Kind("The page prints another amount by a style", replace(_HTML, b"</style>", b".kp-level::after{content:'91,200'}</style>"), HASH, FIGURES),
    Kind("The page runs a script", replace(_HTML, b"</body>", b"<script>1</script></body>"), HASH, FIGURES),
    Kind("The page loads an image from a network", replace(_HTML, b"</body>", b"<img src='https://example.invalid/x'></body>"), HASH, FIGURES),
    Kind("A digit on the page is a letter that looks alike", replace(_HTML, b"103,637.62", b"1O3,637.62"), HASH, FIGURES),
    Kind("An amount on the page is turned around", replace(_HTML, b"103,637.62", "\u202e26.736,301".encode()), HASH, FIGURES),
    Kind("A sheet of the workbook is hidden", _edit_workbook(b'<sheet name="', b'<sheet state="hidden" name="'), HASH, FIGURES),
    Kind("A number format of the workbook shows another amount", _edit_workbook(b'formatCode="', b'formatCode="&quot;91,200&quot;;'), HASH, FIGURES),
    Kind("A cell of the workbook is a formula", _edit_workbook(b"<v>", b"<f>1+1</f><v>"), HASH, FIGURES),
    Kind("A column of the workbook is hidden", _edit_workbook(b'<col min="1"', b'<col hidden="1" min="1"'), HASH, FIGURES),
    Kind("A row of the workbook is hidden", _edit_workbook(b'<row r="', b'<row hidden="1" r="'), HASH, FIGURES),
    Kind("The PDF has the metadata of another customer", edit_pdf("review", _other_xmp), HASH, FIGURES),
    Kind("The metadata of the PDF name another date", edit_pdf("review", _other_xmp_date), HASH, FIGURES),
    Kind("The PDF draws other glyphs than the text it holds", edit_pdf("review", _other_glyphs), HASH, REPLAY),
    Kind("The pack was sent in a zip file that has an altered second entry of a name", _zipped_twice, HASH, FIGURES),
    Kind("A column of a frame has another name", edit_frame("credits", _recase), HASH, FIGURES),
    Kind("The credits are in another currency", edit_frame("credits", _euro), HASH, FIGURES),
    Kind("A credit is left out", _left_out("credits"), HASH, FIGURES),
    Kind("A gap is left out", _left_out("gaps"), HASH, FIGURES),
    Kind("A transaction appears twice", edit_frame("transactions", _repeat_last), HASH, FIGURES),
    Kind("The evidence is reordered", edit_json(_ROOT, lambda document: document["entries"].reverse()), HASH, FIGURES),
    Kind("The last entry of the evidence appears twice", edit_json(_ROOT, lambda document: document["entries"].append(document["entries"][-1])), HASH, FIGURES),
    Kind("The root of the evidence is changed", edit_json("manifest.json", _set(evidence_root="0" * 64)), HASH, FIGURES, _bag_anew),
    Kind("An answer repeats a member", replace(_BODY, b'"amount":"1240.00"', b'"amount":"12400.00","amount":"1240.00"'), HASH, FIGURES),
    Kind("An amount in an answer is written in another way", replace(_BODY, b'"amount":"1240.00"', b'"amount":"1.24e3"'), HASH, FIGURES),
    Kind("An amount in an answer is raised", replace(_BODY, b'"amount":"1240.00"', b'"amount":"91240.00"'), HASH, FIGURES),
    Kind("An amount in an answer is not a number", replace(_BODY, b'"amount":"1240.00"', b'"amount":NaN'), HASH, FIGURES),
    Kind("Order and manifest name another case", _case_in_both, HASH, FIGURES),
    Kind("The policy names a rule twice", append("data/policy.yaml", b"\nrules: []\n"), HASH, FIGURES),
    Kind("The policy holds a second document", append("data/policy.yaml", b"\n---\nrules: []\n"), HASH, FIGURES),
    Kind("An excerpt of the ledger is added that the order does not name", add("data/ledger-excerpt.json", b"{}"), HASH, FIGURES),
    Kind("The manifest has another hash of a document", edit_json("manifest.json", _other_hash), HASH, FIGURES, _bag_anew),
    Kind("The manifest leaves out a document", edit_json("manifest.json", _file_left_out), HASH, FIGURES, _bag_anew),
    Kind("The manifest claims to have been verified", edit_json("manifest.json", _set(verified=True, signature="valid")), HASH, FIGURES),
    Kind("The description of the bag names another author", replace("data/ro-crate-metadata.json", b'"@graph"', b'"author":"Somebody else","@graph"'), HASH, FIGURES, _bag_anew),
    Kind("The description of the bag leads to a network", replace("data/ro-crate-metadata.json", b'"report/review.pdf"', b'"https://example.invalid/review.pdf"'), HASH, FIGURES, _bag_anew),
)  # fmt: skip
"""Each with what finds it."""
