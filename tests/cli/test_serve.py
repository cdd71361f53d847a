from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

from kycpack.api import Client


def test_the_service_tells_its_address_and_key_once_and_ends_on_ctrl_c(tmp_path: Path) -> None:
    command = ["serve", "--db", f"sqlite:///{tmp_path}/service.db", "--port", "0", "--json"]
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own words
        [sys.executable, "-c", "from kycpack.cli import main; main()", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert set(told) == {"base_url", "control_url", "key_id", "secret", "tenant_id"}
        with Client(told["base_url"], key_id=told["key_id"], secret=told["secret"]) as client:
            assert client.customers.create(first_name="Ada").id
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert process.returncode in {0, 130}
    assert told["secret"] not in rest + errors
    assert "Traceback" not in errors
