from __future__ import annotations

from pathlib import Path

import pytest
from tests.traced_memory import with_peak

from kycpack.batch import Job, read_customer_ids
from kycpack.errors import InputError


def test_each_customer_is_read_once_in_the_files_order(tmp_path: Path) -> None:
    path = tmp_path / "customers.csv"
    path.write_text("customer_id,name\nc-2,x\nc-1,y\nc-2,z\n")
    assert [*read_customer_ids(path)] == ["c-2", "c-1"]


def test_a_wrong_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "customers.csv"
    path.write_text("customer_id\nc-1\nc 2\n")
    with pytest.raises(InputError, match=r"customers\.csv: the file was not used: line 3") as caught:
        read_customer_ids(path)
    assert "imported" not in str(caught.value)


def test_a_file_that_names_nobody_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "customers.csv"
    path.write_text("customer_id\n\n")
    with pytest.raises(InputError, match=r"customers\.csv: the file names no customers"):
        read_customer_ids(path)


def test_a_job_shows_its_id_alone() -> None:
    assert repr(Job("c-1", {"customerId": "c-1"})) == "Job(customer_id='c-1')"


def test_many_ids_of_a_file_are_not_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "customers.csv"
    path.write_text("customer_id\n" + "".join(f"c-{number % 30_000:034}\n" for number in range(40_000)))
    read_customer_ids(path)  # what is imported is not counted
    ids, peak = with_peak(lambda: read_customer_ids(path))
    assert len(ids) == 30_000
    assert ids[29_999] == f"c-{29_999:034}"
    assert peak < 1_000_000


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_ids_are_read_whatever_ends_their_lines(tmp_path: Path, ends: str, encoding: str) -> None:
    path = tmp_path / "customers.csv"
    text = ends.join(["customer_id;org_id", "c-1;", '"c-é;1";"a', 'b"', "c-1;", "", "c-'%_;x", "c 2;", ""])
    path.write_bytes(text.encode(encoding))
    with pytest.raises(InputError, match="not used: line 8: customer_id: an id has"):
        read_customer_ids(path)
    path.write_bytes(text.replace("c 2", "c-2").encode(encoding))
    assert [*read_customer_ids(path)] == ["c-1", "c-é;1", "c-'%_", "c-2"]


def test_a_byte_far_inside_that_is_no_text_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "customers.csv"
    path.write_bytes(b"customer_id\n" + b"c-1\n" * 9_000 + b"c-\xff\n" + b"c-2\n" * 9_000)
    with pytest.raises(InputError, match="line 9002"):
        read_customer_ids(path)
