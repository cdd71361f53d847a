from __future__ import annotations

from pathlib import Path

import pytest

from kycpack.batch import Job, read_customer_ids
from kycpack.errors import InputError


def test_each_customer_is_read_once_in_the_files_order(tmp_path: Path) -> None:
    path = tmp_path / "customers.csv"
    path.write_text("customer_id,name\nc-2,x\nc-1,y\nc-2,z\n")
    assert read_customer_ids(path) == ("c-2", "c-1")


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
