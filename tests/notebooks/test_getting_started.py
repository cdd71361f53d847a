"""The tutorial runs clean from top to bottom, and prints nothing that opens something by itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import kycpack as kp
from kycpack.assets import notebook_path
from kycpack.service.embedded import EmbeddedService


def outputs_of(folder: Path, *parameters: str, **environment: str) -> str:
    # A process of its own: a kernel's client leaves sockets to the collector, which warnings as errors would hit here.
    executed = folder / "executed.ipynb"
    notebook = notebook_path("getting_started.ipynb")
    run = subprocess.run(  # noqa: S603 - our own interpreter and notebook
        [sys.executable, "-m", "papermill", notebook, executed, "--no-progress-bar", *parameters],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    cells = [cell for cell in json.loads(executed.read_text())["cells"] if cell["cell_type"] == "code"]
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert not [
        output for output in outputs if output["output_type"] == "error" or output.get("name") == "stderr"
    ]
    return json.dumps(outputs)


def test_the_tutorial_runs_clean_in_a_kernel_and_shows_no_secret(tmp_path: Path) -> None:
    shown = outputs_of(tmp_path)
    assert "missing_person_data" in shown
    assert "Credits by month and source, GBP" in shown
    assert "verified" in shown
    for opens_by_itself in (r"/onboard/[0-9a-f-]{36}", "signature=", "secret"):
        assert re.search(opens_by_itself, shown) is None


def test_the_tutorial_looks_at_a_customer_of_the_configured_service_and_changes_nothing(
    tmp_path: Path,
) -> None:
    with EmbeddedService(str(tmp_path / "service.db")) as service:
        login = {"key_id": service.key_id, "secret": service.secret}
        with kp.Client(service.base_url, **login) as client:
            customer = client.customers.create(
                first_name="Ada", last_name="Byron", email_address="a@example.com"
            )
            session = client.onboarding.create(customer_id=customer.id)
            shown = outputs_of(
                tmp_path,
                *("-p", "customer_id", customer.id),
                *("-y", f"session_ids: [{session.session_id}]"),
                KYCPACK_BASE_URL=service.base_url,
                KYCPACK_KEY_ID=service.key_id,
                KYCPACK_SECRET=service.secret,
            )
            assert [one.id for one in client.customers.list()] == [customer.id]
            assert client.customers.get(customer.id) == customer
    assert customer.id in shown
    assert "verified" in shown
    assert service.secret not in shown
    assert "Byron" not in shown
