from __future__ import annotations

from pathlib import Path

import pytest

from kycpack.errors import InputError
from kycpack.frames.answer_fields import instant
from kycpack.models.instants import parse_instant
from kycpack.workspace import Register, Workspace, import_register, import_risk_profiles


def _file(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "register.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_customers_sessions_and_payments_are_read(
    workspace: Workspace, register: Register, tmp_path: Path
) -> None:
    path = _file(
        tmp_path,
        "\ufeffcustomerId,session_id,payment_id,org_id,comment\n"
        "c-1,s-1,,north,first\n\nc-1,s-2,p-1,north,\nc-2,,,,\n",
    )
    report = import_register(workspace, path)
    assert (report.lines, report.customers, report.sessions, report.payments) == (3, 2, 2, 1)
    known = register.known("c-1")
    assert [(row["sessionId"], row["learnedFrom"]) for row in known["sessions"]] == [
        ("s-1", "import"),
        ("s-2", "import"),
    ]
    assert import_register(workspace, path) == report
    assert len(register.customers()) == 2


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("session_id\ns-1\n", "line 1"),
        ("customer_id,customerId\nc-1,c-1\n", "line 1"),
        ("customer_id,session_id\nc-1,s-1\n,s-2\n", "line 3"),
        ("customer_id,session_id\nc-1\n", "line 2"),
        ("customer_id\nc 1\n", "line 2"),
        ('customer_id\n"c-1\n', "line 2"),
        (b"customer_id\nc-1\n\xff\n", "line 3"),
        ("", "line 1"),
        ("customer_id\n\n", "no lines below the header"),
        ("customer_id,created_at\nc-1,\nc-2,28/11/2026\n", "line 3: created_at is not a date"),
        ("customer_id,created_at\nc-1,0001-01-01T00:00:00+10:00\n", "line 2: created_at is not a date"),
        ("customer_id;session_id\nc-1;s-1;\n", "line 2: 3 values for 2 columns"),
        ("customer_id,session_id\nc-1;s-1\n", "line 2: 1 value for 2 columns"),
        ("customer_id,session_id\nc-1,s-1".encode("utf-16")[:-1], "line 2: is not UTF-8 or UTF-16"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_imported(
    workspace: Workspace, register: Register, tmp_path: Path, text: str | bytes, line: str
) -> None:
    with pytest.raises(InputError, match=line):
        import_register(workspace, _file(tmp_path, text))
    assert register.customers() == ()


@pytest.mark.parametrize(
    "content",
    [
        "customer_id;session_id;created_at\nc-1;s-1;2026-06-30\n",
        "customer_id\tsession_id\tcreated_at\r\nc-1\ts-1\t2026-06-30T12:00:00Z\r\n",
        "customer_id,session_id,created_at\rc-1,s-1,2026-06-30T12:00:00+02:00\r",
        '"customer_id","session_id",\n"c-1","s-1",\n\n , ,\n',
        "customer_id\tsession_id\r\nc-1\ts-1\r\n".encode("utf-16"),
    ],
    ids=["semicolons", "tabs", "CR alone", "quotes, an empty column and lines", "UTF-16"],
)
def test_what_a_spreadsheet_saves_is_read(
    workspace: Workspace, register: Register, tmp_path: Path, content: str | bytes
) -> None:
    report = import_register(workspace, _file(tmp_path, content))
    assert (report.lines, report.customers, report.sessions) == (1, 1, 1)
    (session,) = register.sessions("c-1")
    assert session.session_id == "s-1"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("2026-06-30", "2026-06-30T00:00:00Z"),
        ("20260630", "2026-06-30T00:00:00Z"),
        ("2026-06-30 12:00", "2026-06-30T12:00:00Z"),
        ("2026-06-30T12:00:00+02:00", "2026-06-30T10:00:00Z"),
    ],
)
def test_a_date_of_a_file_is_kept_as_an_instant_that_packs_can_read(
    workspace: Workspace, register: Register, tmp_path: Path, written: str, kept: str
) -> None:
    content = f"customer_id,session_id,payment_id,created_at\nc-1,s-1,p-1,{written}\n"
    import_register(workspace, _file(tmp_path, content))
    known = register.known("c-1")
    for named in (*known["sessions"], *known["payments"]):
        assert instant(named["createdAt"]) == parse_instant(kept)


def test_a_risk_file_of_a_spreadsheet_is_read(workspace: Workspace, tmp_path: Path) -> None:
    content = "customer_id;country;pep\r\nc-1;GB;none\r\n".encode("utf-16")
    assert import_risk_profiles(workspace, _file(tmp_path, content)) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("customer_id,country,country\nc-1,GB,IR\n", "names a column twice"),
        ("customer_id,country\n", "no lines below the header"),
        ("", "no lines below the header"),
    ],
)
def test_a_risk_file_that_would_lose_a_value_or_says_nothing_is_refused(
    workspace: Workspace, tmp_path: Path, content: str, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        import_risk_profiles(workspace, _file(tmp_path, content))


def test_a_session_of_somebody_else_is_named_by_its_line(
    workspace: Workspace, register: Register, tmp_path: Path
) -> None:
    register.add_session("s-1", learned_from="created", customer_id="c-1")
    path = _file(tmp_path, "customer_id,session_id\nc-3,\nc-2,s-1\n")
    with pytest.raises(InputError, match="line 3"):
        import_register(workspace, path)
    assert [row.customer_id for row in register.customers()] == ["c-1"]


def test_a_missing_file_is_an_input_error(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        import_register(workspace, tmp_path / "none.csv")
