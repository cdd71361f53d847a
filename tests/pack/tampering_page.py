"""The page of all kinds of tampering: `python -m tests.pack.tampering_page > docs/tampering.md`."""

from __future__ import annotations

import sys

from tests.pack.further_tampering import FURTHER_KINDS
from tests.pack.ledger_tampering import LEDGER_KINDS
from tests.pack.outside_tampering import OUTSIDE_KINDS
from tests.pack.signature_tampering import SIGNATURE_KINDS
from tests.pack.tampering_kinds import KINDS

_HEAD = """\
# Tampering, and what finds it

Each kind was tried twice on a pack: as it is, and after every hash, index and root that needs no key was recomputed, as
an insider with kycpack could. The tests try them all again.

- **hash**: `kycpack verify --hashes-only`, and mostly `sha256sum --check` or `bagit.py`: hashes and structure.
- **figures**: `kycpack verify`: evidence, frames, figures, PDF, HTML, notebook and workbook are read and compared.
- **replay**: `kycpack replay`: the pack is made again from its evidence, policy and order.
- **signature**: only `kycpack verify --require-signature --trust FILE`, or the evidence root in a record kept elsewhere.

What remains possible: whoever holds the signing key, or makes a new unsigned pack from altered evidence, policy or order
and the same code, gets a pack that is consistent in itself. Sign packs, and keep evidence roots where the maker of packs
cannot write. No check shows that what the service answered was true. kycpack neither makes nor checks archives: if a pack arrives
in a zip file, unpack it and check the unpacked folder. Only replay shows that a PDF draws the text that it holds.

| Tampering | As it is | Hashes recomputed |
|---|---|---|"""


_OUTSIDE = """\
## Kinds by an author who had not read the checks

| Tampering | As it is | Hashes recomputed |
|---|---|---|"""


_FURTHER = """\
## Further kinds, written down in one sitting and then tried

| Tampering | As it is | Hashes made anew |
|---|---|---|"""


_FOUND_BY = {
    "found": "`kycpack verify`",
    "trust": "`kycpack verify --require-signature --trust FILE`",
    "nobody": "nothing; `kycpack verify` says that the time is not proven",
}


_SIGNATURES = """\
## Signatures, by the same author

A signed pack was tampered with; all hashes fit. Without a trust file, `kycpack verify` always says that it does not show who signed.

| Tampering | Found by |
|---|---|"""


_LEDGER = """\
## The ledger's part of a pack, by the same author

The pack carries a decision, and the ledger's people have keys. The order's hash of the excerpt was recomputed as well.
Somebody who founds a ledger of their own with other keys, decides in it and makes the whole pack from it is only found by an **anchor**:
`kycpack verify --ledger-anchor FILE` or `--ledger-key FINGERPRINT`. Decisions made after the pack are only in the whole ledger, and
`kycpack verify` says so. Two packs of one ledger that was forked each pass on their own. `kycpack verify` of both together names the entry or head in
which they differ, whoever made them.

| Tampering | As it is | Hashes recomputed |
|---|---|---|"""


_RUNS = """\
## Runs

`run-manifest.json` names every customer of a run with outcome and pack, and the hashes of `run.json` and `index.html`.
`kycpack sign RUN` signs the packs and the manifest, and `kycpack verify RUN` checks it. **run** means found without a signature;
where the manifest of the run is recomputed as well, **signature** means that only a signature over it finds the tampering.

| Tampering | As it is | Manifest recomputed |
|---|---|---|
| A pack is missing | run | signature |
| Two packs change places | run | run |
| The newest pack of a customer is removed, one of several is, or the file that names the newest is | run | run, but for the newest pack together with that file |
| A pack is copied beside itself as a newer one | run | run |
| A pack is replaced by an older one | run | run |
| A pack is replaced by one that another run made of the same day | run | signature |
| A pack is replaced by one of another customer | run | run |
| A pack is put beside those of the run | run | signature |
| A customer who was never in scope has a pack or an entry | run | signature |
| A customer is left out of `run.json` | run | signature |
| A customer is left out everywhere | run | signature |
| `index.html` shows other outcomes or leads to other packs | run | run |
| `summary.pdf` or the figure map of the run shows other numbers | run | run |
| The share of known nature in `run.json` is changed | run | run |
| Outcomes are counted wrongly | run | run |
| A level or a first reason in `run.json` is changed | run | run |
| One pack stands for two customers | run | run |
| Packs of one run follow two policies, or are of two dates | run | run |
| Kept evidence is changed or missing | run | signature |
| The signature of the run, or of a pack, is taken away | run | signature |
| A customer is said to be erased, and no record of it is there | run | run |
| The record of an erasure is changed | run | run |
| The record of an erasure is forged with a ledger of its own | anchor | anchor |

Whoever holds the key can leave a customer out, repeat a run until the result suits, or feed it invented answers. `kycpack verify RUN --customers FILE`
compares with the firm's own list; against the rest, only a record kept elsewhere helps, or asking the bank again."""


def table() -> str:
    """Return the kinds as a page for `docs/`."""
    own, outside, further, ledger = (
        [f"| {kind.name} | {kind.naive} | {kind.resealed} |" for kind in kinds]
        for kinds in (KINDS, OUTSIDE_KINDS, FURTHER_KINDS, LEDGER_KINDS)
    )
    signatures = [f"| {kind.name} | {_FOUND_BY[kind.found]} |" for kind in SIGNATURE_KINDS]
    parts = (
        _HEAD,
        *own,
        "",
        _OUTSIDE,
        *outside,
        "",
        _FURTHER,
        *further,
        "",
        _SIGNATURES,
        *signatures,
        "",
        _LEDGER,
        *ledger,
        "",
        _RUNS,
        "",
    )
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(table())
