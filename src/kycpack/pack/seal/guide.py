"""How a pack describes itself to an outsider: `README.txt` for people, `ro-crate-metadata.json` for archives.

Source: RO-Crate 1.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kycpack.models.json import canonical_json

_README = """\
Review pack of customer {customer}, case {case}, as of {as_of}
Made by {name} {version}. Recommended level, decision and figures: report/review.pdf.

HOW TO CHECK THIS PACK
Run the commands in the folder that holds bagit.txt. Keep FIRM.pem and any file you write outside it. No command needs a
network. Get kycpack {version} and FIRM.pem, the firm's certificate, from the firm: take neither from this pack. `bagit.py`
is in the Python package bagit, `pdfsig` in poppler-utils.

1. Are all files unchanged since the pack was closed?
     sha256sum --check --quiet tagmanifest-sha256.txt manifest-sha256.txt
   No output means that every listed file matches its hash. sha256sum names each file that does not.
     bagit.py --validate .
   Also finds files that were added. Its last line says that the bag is valid, or what is wrong.
   This does not show who closed the pack: anyone who changes a file can write new hashes.

2. Do its parts agree, and is the signature good?
     kycpack verify --require-signature --trust ../FIRM.pem .
   Compares evidence, frames, figures, PDF, HTML, notebook and workbook with each other, and looks for anything hidden or
   added. A pack that is not signed has no file tagmanifest-sha256.txt.p7s; for it, leave out the two options:
     kycpack verify .
   Without a signature, a whole pack made again from other evidence cannot be detected. Compare the evidence root below with
   the firm's records.

3. Do the figures follow from the evidence?
     kycpack replay .
   Makes the pack again from its evidence, policy and order, and compares every byte. Use the versions of {name} and of
   the libraries that data/manifest.json names. This does not show that the evidence is true: the evidence is what the
   service answered. To check a figure by hand: averages and medians are rounded to the smallest unit of the currency, and half
   a unit is rounded up. Shares that are shown together are rounded so that they add up to the whole.

4. Where does a number come from?
     kycpack trace .
     kycpack trace . FIGURE
     kycpack trace . --check
   The first lists the figures. The second takes a figure's id, or a number as it is printed, and prints every row that it
   was made from, with its place in the evidence. The third calculates every number again from data/frames, and looks up every
   cell in data/evidence.

If the pack is signed, standard tools can check the signatures as well:
     openssl cms -verify -binary -inform DER -in tagmanifest-sha256.txt.p7s -content tagmanifest-sha256.txt \\
       -CAfile ../FIRM.pem -purpose any -out /dev/null
     pdfsig data/report/review.pdf
     pdfsig data/report/statement.pdf
   openssl says "CMS Verification successful". pdfsig says "Signature is Valid" and "Total document signed"; it does not have
   the firm's certificate, so it also says that its issuer is not trusted.

In a signed pack, attestation.dsse.json states which code, libraries and inputs the pack was made with (an in-toto statement
in a DSSE envelope, signed with the key of the pack). kycpack verify checks it.

If a decision was recorded, data/ledger-excerpt.json holds the entries of this case, signed, with proofs that they are in
the firm's ledger. The verifier comes with each export of the ledger; the anchor and the fingerprint come from the firm:
     python verify_ledger.py --excerpt data/ledger-excerpt.json --anchor ledger-anchor.jsonl --trust FINGERPRINT

WHAT IS IN IT
  bagit.txt, bag-info.txt     what kind of folder this is (BagIt, RFC 8493), and of which case
  manifest-sha256.txt         the hash of each file in data/
  tagmanifest-sha256.txt      the hash of each file beside data/
  tagmanifest-sha256.txt.p7s  if the pack is signed: the signature over all hashes (CMS)
  attestation.dsse.json       if the pack is signed: the code, libraries and inputs it was made with
  data/README.txt             this page
  data/report/review.pdf      the review
  data/report/review.html     the same content for a browser or a screen reader: use this as the accessible form, because
                              the PDF has no tags
  data/report/statement.pdf   the statement of the source of wealth, which the customer may see
  data/report/review.ipynb    how the review was computed
  data/notebook.ipynb         the notebook that it was made from; kycpack replay runs one with the same digest, never this copy
  data/workbook.xlsx          the tables as a workbook
  data/evidence/              each request and the service's answer, word for word; index.json lists them
  data/frames/                the evidence and the results as tables
  data/figures.json           the figures that the documents print
  data/figure_map.json        for each printed number, the rows it was made from and where these stand in the evidence
  data/manifest.json          what the pack was made from, and the versions it was made with
  data/order.json, data/policy.yaml   what the pack was ordered with, and the rules
  data/field_commitments.json if redacted copies can be proved: what their proofs refer to, without any value
  data/ledger-excerpt.json    if a decision was recorded: who decided what, when and why
  data/earlier-pack.json      if the pack follows an earlier one: its root, and what was compared
  data/newer-pack.json        if a later run reopened the case: the root of its pack, and the values it found
  data/ro-crate-metadata.json the same list for archives (RO-Crate)

Evidence root: {root}
"""
_KINDS = {
    "json": "application/json",
    "yaml": "application/yaml",
    "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf",
    "html": "text/html",
    "ipynb": "application/x-ipynb+json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "txt": "text/plain",
}
_GIVEN = ("README.txt", "evidence/index.json", "manifest.json", "notebook.ipynb", "order.json", "policy.yaml")


def readme_bytes(manifest: Mapping[str, Any]) -> bytes:
    """Return `README.txt`: how an outsider checks the pack, and what each check does and does not show."""
    return _README.format(
        customer=manifest["customer_id"],
        case=manifest["case"]["id"],
        as_of=manifest["as_of"],
        name=manifest["code"]["name"],
        version=manifest["code"]["version"],
        root=manifest["evidence_root"],
    ).encode()


def crate_bytes(manifest: Mapping[str, Any]) -> bytes:
    """Return `ro-crate-metadata.json`, which describes the payload for archives; the hashes are in the bag's manifest."""
    names = sorted({*_GIVEN, *manifest["attached"], *manifest["files"]})
    software = f"#{manifest['code']['name']}-{manifest['code']['version']}"
    graph: list[dict[str, Any]] = [
        {
            "@id": "ro-crate-metadata.json",
            "@type": "CreativeWork",
            "about": {"@id": "./"},
            "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        },
        {
            "@id": "./",
            "@type": "Dataset",
            "name": f"Customer review {manifest['case']['id']}",
            "description": "Evidence, tables and documents of one customer due diligence review.",
            "identifier": manifest["case"]["id"],
            "datePublished": manifest["as_of"],
            "license": "Confidential: customer due diligence",
            "hasPart": [{"@id": name} for name in names],
            "mentions": {"@id": "#review"},
        },
        {
            "@id": "#review",
            "@type": "CreateAction",
            "name": "Review from evidence",
            "endTime": manifest["as_of"],
            "instrument": {"@id": software},
            "object": [
                {"@id": name}
                for name in ("evidence/index.json", "notebook.ipynb", "order.json", "policy.yaml")
            ],
            "result": [{"@id": name} for name in sorted(manifest["files"])],
        },
        {
            "@id": software,
            "@type": "SoftwareApplication",
            "name": manifest["code"]["name"],
            "version": manifest["code"]["version"],
        },
        *(
            {
                "@id": name,
                "@type": "File",
                "encodingFormat": _KINDS.get(name.rpartition(".")[2], "application/octet-stream"),
            }
            for name in names
        ),
    ]
    document = {"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph}
    return canonical_json(document) + b"\n"
