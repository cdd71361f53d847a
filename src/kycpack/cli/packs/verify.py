"""`kycpack verify`: checking that packs and runs have not been changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kycpack.cli.options import AsJson
from kycpack.cli.progress import progress
from kycpack.cli.terminal import print_json, print_table, say
from kycpack.errors import OutputLockedError
from kycpack.folders import is_leftover

if TYPE_CHECKING:
    from kycpack.batch.run_verification import RunVerification
    from kycpack.pack.check.verify import Verification

_MANY = 24
_UNFINISHED = "this is not a pack: a process that was killed left it unfinished, and the next run on this folder removes it"
_MARKS = ("bagit.txt", "tagmanifest-sha256.txt", "data/manifest.json")


def verify(
    packs: Annotated[
        list[str],
        typer.Argument(
            metavar="PACK", help="Packs, folders of packs, or runs; also by URL, such as s3://bucket/packs."
        ),
    ],
    hashes_only: Annotated[
        bool,
        typer.Option("--hashes-only", help="Check hashes and structure only, without opening documents."),
    ] = False,
    trust: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="PEM file of the certificates you trust. Get it from the firm, not from the pack.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    require_signature: Annotated[
        bool,
        typer.Option("--require-signature", help="Treat a pack without a trusted signature as defective."),
    ] = False,
    signer: Annotated[
        str | None, typer.Option(metavar="NAME", help="Common name that the signer must have.")
    ] = None,
    ledger_anchor: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The ledger's anchor file; keep it separate from the packs.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    ledger_key: Annotated[
        list[str] | None,
        typer.Option(metavar="FINGERPRINT", help="Fingerprint of the key that founded the ledger."),
    ] = None,
    full: Annotated[
        Path | None,
        typer.Option(
            "--full",
            metavar="PACK",
            help="The pack that a redacted copy was made from.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    customers: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV file with a column customer_id: the customers who should be in the run, from the firm's own records.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the result as an HTML page.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=1,
            help="Packs checked at the same time. Default: the number of processors.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check that packs and runs have not been changed.

    Checks every hash, that no files were added, and that evidence, frames, figures, PDF, HTML, notebook and workbook agree. Says what these checks cannot show. For a run, also checks that it has every customer and pack of its manifest, and no others. The exit code is 1 if there is a defect. Standard tools check the same hashes: sha256sum -c manifest-sha256.txt
    """
    from kycpack.batch import read_customer_ids
    from kycpack.batch.lock import is_written_to
    from kycpack.batch.run_manifest import REPORT, is_run
    from kycpack.batch.run_verification import verify_run
    from kycpack.pack import verify_pack
    from kycpack.pack.check.ledger_forks import ledger_forks
    from kycpack.pack.check.verification_page import verification_page
    from kycpack.pack.check.verify import Verification
    from kycpack.workspace.ledger.ledger_files import read_named_anchors

    with local_places(packs) as places:
        for place in places:
            # While a run works there is no report, so a run that begins is not held up by this look at its lock.
            if is_run(place) and not (place / REPORT).exists() and is_written_to(place):
                raise OutputLockedError(
                    f"{place}: a run is writing to this folder; check it when the run has ended"
                )
        anchors = [] if ledger_anchor is None else read_named_anchors(ledger_anchor)
        population = None if customers is None else read_customer_ids(customers)
        terms: dict[str, Any] = {
            "trust": trust,
            "require_signature": require_signature,
            "signer": signer,
            "anchors": anchors,
            "ledger_keys": ledger_key or (),
        }
        runs = [
            (place, verify_run(place, population=population, **terms)) for place in places if is_run(place)
        ]
        if customers is not None and not runs:
            raise typer.BadParameter("--customers needs a run: none of these folders is one")
        held = {place for place, _ in runs}
        found = [pack for place in places for pack in find_packs(place, is_run=place in held)]
        check = partial(verify_pack, hashes_only=hashes_only, full=full, **terms)
        unfinished = [pack for pack in found if is_leftover(pack)]
        found = [pack for pack in found if pack not in unfinished]
        answers = list(zip(found, _checked(found, check, workers or os.cpu_count() or 1), strict=True))
        answers += [(pack, Verification(ok=False, problems=(_UNFINISHED,), checked=0)) for pack in unfinished]
        if html is not None:
            html.write_text(verification_page([*runs, *answers]), encoding="utf-8")
        forks = tuple(dict.fromkeys(ledger_forks(found)))
        is_ok = not forks and all(answer.ok for _, answer in answers) and all(answer.ok for _, answer in runs)
        _print_answers(
            [(as_named(place, places), answer) for place, answer in runs],
            [(as_named(pack, places), answer) for pack, answer in answers],
            forks,
            is_ok=is_ok,
            as_json=as_json,
        )
        if not is_ok:
            raise typer.Exit(1)


def _checked(
    packs: Sequence[Path], check: Callable[[Path], Verification], workers: int
) -> list[Verification]:
    """Check packs in order, in parallel processes if there are enough packs to make this worthwhile."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    if len(packs) < _MANY:
        return [check(pack) for pack in packs]
    found = []
    with (
        progress("verify", len(packs)) as bar,
        ProcessPoolExecutor(min(workers, len(packs)), mp_context=get_context("spawn")) as pool,
    ):
        for pack, answer in zip(packs, pool.map(check, packs), strict=True):
            found.append(answer)
            result = "verified" if answer.ok else "DEFECT"
            bar.advance(pack.name, f"{pack.name}: {result}", "done" if answer.ok else "failed")
    return found


@contextmanager
def local_places(places: Sequence[str]) -> Iterator[dict[Path, str]]:
    """Yield the named folders, each with its name; folders in an object store are copied, and the copies removed at the end.

    Raises:
        typer.BadParameter: A place is not a folder.
        ObjectStoreError: A URL has no content, or the store did not answer.
    """
    from kycpack.batch.remote_run import local_copy
    from kycpack.storage.object_folder import is_url

    with ExitStack() as copies:
        folders = {}
        for place in places:
            if not is_url(place) and not Path(place).is_dir():
                raise typer.BadParameter(f"{place} is not a folder")
            if is_url(place):
                folders[copies.enter_context(local_copy(place))] = place.rstrip("/")
            else:
                folders[Path(place)] = str(Path(place))
        yield folders


def as_named(path: Path, places: Mapping[Path, str]) -> str:
    """Return the path of a pack or run in the form that the user gave: below the URL, not in the local copy."""
    folder = next(folder for folder in places if path.is_relative_to(folder))
    if places[folder] == str(folder):
        return str(path)
    return "/".join((places[folder], *path.relative_to(folder).parts))


def find_packs(place: Path, *, is_run: bool = False) -> list[Path]:
    """Return the packs at a place: the folder itself, or the packs in it; a run may have none.

    Raises:
        typer.BadParameter: There is no pack.
    """
    if any((place / mark).is_file() for mark in _MARKS):
        return [place]
    # A pack without its declaration is still a pack, but has a defect.
    packs = sorted(
        {path.parents[len(Path(mark).parts) - 1] for mark in _MARKS for path in place.glob(f"*/{mark}")}
    )
    if not packs and not is_run:
        raise typer.BadParameter(f"{place} is not a pack and does not contain one (a pack has a bagit.txt)")
    return packs


def _print_answers(
    runs: Sequence[tuple[str, RunVerification]],
    answers: Sequence[tuple[str, Verification]],
    forks: Sequence[str],
    *,
    is_ok: bool,
    as_json: bool,
) -> None:
    if as_json:
        print_json(
            {
                "ok": is_ok,
                "between_packs": list(forks),
                "runs": [{"run": place, **asdict(answer)} for place, answer in runs],
                "items": [
                    {
                        "pack": pack,
                        "ok": answer.ok,
                        "checked": answer.checked,
                        "problems": list(answer.problems),
                        "not_shown": list(answer.not_shown),
                        "signatures": list(answer.signatures),
                    }
                    for pack, answer in answers
                ],
            }
        )
    else:
        rows = [
            (pack, "verified" if answer.ok else "DEFECT", answer.checked, len(answer.problems))
            for pack, answer in answers
        ]
        print_table("Packs", ("pack", "result", "checked#", "problems#"), rows)
        say(
            *(f"{pack}: {problem}" for pack, answer in answers for problem in answer.problems),
            *(f"DEFECT: {problem}" for problem in forks),
        )
        for place, run in runs:
            say(
                f"{place}: the run {'is verified' if run.ok else 'has a DEFECT'}, {run.in_scope} customers in scope",
                *(f"{place}: {problem}" for problem in run.problems),
            )
        doubts = [*(run.not_shown for _, run in runs), *(answer.not_shown for _, answer in answers)]
        say(*dict.fromkeys(sentence for each in doubts for sentence in each))
