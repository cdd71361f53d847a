"""The extras of the package, and the modules that each installs."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

EXTRAS: Mapping[str, str] = {
    "fastapi": "service",
    "uvicorn": "service",
    "starlette": "service",
    "python_multipart": "service",
    "psycopg": "postgres",
    "jupyterlab": "lab",
    "ipywidgets": "lab",
    "jupyter_scheduler": "scheduler",
    "asn1crypto": "signing",
    "cryptography": "signing",
    "pyhanko": "signing",
    "pkcs11": "pkcs11",
    "keyring": "keyring",
    "s3fs": "s3",
    "distributed": "dask",
    "opentelemetry": "telemetry",
    "defusedxml": "statements",
    "mt940": "statements",
}
"""The extra that installs each module; a plain `pip install kycpack` leaves these modules out."""


def installed_extras() -> dict[str, bool]:
    """Return each extra, and whether all of its modules are installed."""
    found = dict.fromkeys(EXTRAS.values(), True)
    for module, extra in EXTRAS.items():
        found[extra] = found[extra] and find_spec(module) is not None
    return found


def extra_of(error: ModuleNotFoundError) -> str | None:
    """Return the extra that installs a missing module; None if no extra does."""
    return EXTRAS.get((error.name or "").partition(".")[0])
