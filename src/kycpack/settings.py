"""The settings: one frozen object, and the only place that reads the environment and `kycpack.toml`.

An argument takes precedence over the environment, the environment over the file, and the file over the keyring and the
defaults.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from kycpack.errors import ConfigurationError

_KEYRING_SERVICE = "kycpack"
_FILE = Path("kycpack.toml")
_FILE_VARIABLE = "KYCPACK_CONFIG"
_DAYS = re.compile(r"[0-9]{1,4}")
_SECRETS = frozenset({"secret", "signing_passphrase"})
_PATHS = frozenset(
    {"workspace", "reports", "signing_key", "ledger_anchor", "dask_ca", "dask_cert", "dask_key"}
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the service is, who is working, and where data is kept.

    Attributes:
        base_url: The service's address; empty when none is configured.
        key_id: Id of the API key; empty when none is configured.
        secret: The key's secret, base64; never shown.
        workspace: URL or path of the workspace database.
        reports: Folder in which the review notebook looks for runs, and where packs for an object store are made.
        analyst: The person at work, as named in packs and decisions; empty when nobody is named.
        reviewer: The second person; empty when nobody was named.
        bank_adapter: Name of the adapter that reads the service's bank transactions.
        reuse_days: How many days old the answer to a request may be at most that a batch does not send again.
        signing_key: File of the analyst's signing key; empty where people have no keys.
        signing_passphrase: The passphrase of that file; never shown.
        signer: Signs requests instead of `kyc-hmac-v1`, as `package.module:name`; empty for `kyc-hmac-v1`.
        ledger_anchor: File of anchors, preferably on another machine; empty for `ledger-anchor.jsonl` beside the workspace.
        timestamp_url: An RFC 3161 authority that timestamps the signatures of packs; empty for no timestamps.
        dask_ca: PEM file of the authority that signed the certificates of a Dask cluster.
        dask_cert: PEM file of the certificate with which a batch identifies itself to a Dask cluster.
        dask_key: PEM file of that certificate's key.
    """

    base_url: str = ""
    key_id: str = ""
    secret: str = field(default="", repr=False)
    workspace: str = "kycpack.db"
    reports: Path = Path("reports")
    analyst: str = ""
    reviewer: str = ""
    bank_adapter: str = "service-v1"
    reuse_days: str = "30"
    signer: str = ""
    signing_key: str = ""
    signing_passphrase: str = field(default="", repr=False)
    ledger_anchor: str = ""
    timestamp_url: str = ""
    dask_ca: str = ""
    dask_cert: str = ""
    dask_key: str = ""

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None, **given: str | None) -> Settings:
        """Read the settings.

        The file is the one that `KYCPACK_CONFIG` names, otherwise `kycpack.toml` in the current folder if it exists.

        Args:
            environ: The environment to read; the process's own by default. Names are `KYCPACK_BASE_URL`,
                `KYCPACK_KEY_ID`, `KYCPACK_SECRET`, `KYCPACK_WORKSPACE`, `KYCPACK_REPORTS`, `KYCPACK_ANALYST`,
                `KYCPACK_REVIEWER`, `KYCPACK_BANK_ADAPTER`, `KYCPACK_REUSE_DAYS`, `KYCPACK_SIGNER`, `KYCPACK_SIGNING_KEY`,
                `KYCPACK_SIGNING_PASSPHRASE`, `KYCPACK_LEDGER_ANCHOR`, `KYCPACK_TIMESTAMP_URL`, `KYCPACK_DASK_CA`, `KYCPACK_DASK_CERT`, `KYCPACK_DASK_KEY`.
            **given: Values that take precedence over the environment; None means not given.

        Returns:
            The settings; the secret comes from the keyring if neither an argument nor the environment gives it.

        Raises:
            ConfigurationError: A name is not a setting, a value is not UTF-8, or the file cannot be used: it is missing, does not parse, holds a
                secret, or another user of the machine may change it.
        """
        names = cls.__dataclass_fields__
        unknown = sorted(set(given) - set(names))
        if unknown:
            raise ConfigurationError(f"unknown setting: {', '.join(unknown)}")
        environment = os.environ if environ is None else environ
        written = _read_file(environment.get(_FILE_VARIABLE, ""), names)
        values = {
            name: value
            for name in names
            if (value := given.get(name) or environment.get(f"KYCPACK_{name.upper()}") or written.get(name))
        }
        if values.get("key_id") and not values.get("secret"):
            values["secret"] = _secret_from_keyring(values["key_id"])
        for name, value in values.items():
            _require_text(name, value)
        reports = Path(values.pop("reports", "reports"))
        return cls(reports=reports, **values)

    def reuse_for(self) -> timedelta:
        """Return `reuse_days` as a time.

        Raises:
            ConfigurationError: It is not a whole number of days.
        """
        if not _DAYS.fullmatch(self.reuse_days):
            raise ConfigurationError(
                f"reuse_days (KYCPACK_REUSE_DAYS) cannot be used: {self.reuse_days!r} is not a number of days from 0 to 9999"
            )
        return timedelta(days=int(self.reuse_days))

    def require_credentials(self) -> None:
        """Raise unless the address, key id and secret are all set; with the user's own signer the last two are optional.

        Raises:
            ConfigurationError: Names what is missing and how to give it.
        """
        names = ("base_url",) if self.signer else ("base_url", "key_id", "secret")
        missing = [name for name in names if not getattr(self, name)]
        if missing:
            hints = ", ".join(f"{name} (KYCPACK_{name.upper()})" for name in missing)
            raise ConfigurationError(f"not configured: {hints}; `kycpack serve` starts a service of your own")


def _require_text(name: str, value: str) -> None:
    try:
        str(value).encode()
    except UnicodeEncodeError:
        raise ConfigurationError(f"{name} (KYCPACK_{name.upper()}) cannot be used: it is not UTF-8") from None


def _read_file(named: str, names: Collection[str]) -> dict[str, str]:
    """Return the settings in the file; paths in it are relative to its folder."""
    path = Path(named) if named else _FILE
    if not named and not os.path.lexists(path):
        return {}
    try:
        with path.open("rb") as file:
            _refuse_foreign(path, os.fstat(file.fileno()))
            document = tomllib.load(file)
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or 'cannot be read'}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: it is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        # The message quotes at most one character; it names line and column.
        raise ConfigurationError(f"{path}: it is not TOML: {error}") from None
    for name, value in document.items():
        if name in _SECRETS:
            raise ConfigurationError(
                f"{path}: {name} does not belong in a file; use KYCPACK_{name.upper()} or the keyring"
            )
        if name not in names:
            raise ConfigurationError(f"{path}: unknown setting {name!r}; see docs/settings.md")
        if not isinstance(value, str):
            raise ConfigurationError(f"{path}: {name} must be a string in quotes")
    return {
        name: str(path.parent / value) if name in _PATHS and value and "://" not in value else value
        for name, value in document.items()
    }


def _refuse_foreign(path: Path, found: os.stat_result) -> None:
    """Refuse a file that another user may change: it says where requests go and which code signs them."""
    if sys.platform == "win32":
        return
    if found.st_uid not in {0, os.getuid()} or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise ConfigurationError(
            f"{path}: another user may change it; it has to belong to you or root, and be writable by its owner only (chmod 600)"
        )


def environment_without_secrets(**given: str) -> dict[str, str]:
    """Return the environment for another program's command: this process's own without the secrets.

    Args:
        **given: Variables to add.
    """
    hidden = {f"KYCPACK_{name.upper()}" for name in _SECRETS}
    return {name: value for name, value in os.environ.items() if name.upper() not in hidden} | given


def environment_with_full_paths() -> dict[str, str]:
    """Return the environment for a process in another folder: this process's own, with the paths in settings made absolute.

    Raises:
        ConfigurationError: The settings cannot be read.
    """
    chosen = Settings.load()
    named = {f"KYCPACK_{name.upper()}": str(getattr(chosen, name)) for name in sorted(_PATHS)}
    file = os.environ.get(_FILE_VARIABLE) or str(_FILE)
    if Path(file).is_file():
        named[_FILE_VARIABLE] = file
    full = {
        name: str(Path(value).absolute()) for name, value in named.items() if value and "://" not in value
    }
    return dict(os.environ) | full


def keep_secret(key_id: str, secret: str) -> None:
    """Keep the secret of a key in the system's keyring.

    Args:
        key_id: Id of the API key.
        secret: Its secret.

    Raises:
        ConfigurationError: There is no keyring, or it refuses to store the secret.
    """
    keyring = _keyring()
    try:
        keyring.set_password(_KEYRING_SERVICE, key_id, secret)
    except keyring.errors.KeyringError as error:
        raise ConfigurationError(f"the keyring cannot keep a secret ({type(error).__name__})") from None


def forget_secret(key_id: str) -> None:
    """Remove the secret of a key from the system's keyring.

    Args:
        key_id: Id of the API key.

    Raises:
        ConfigurationError: There is no keyring, or it holds no secret of this key.
    """
    keyring = _keyring()
    try:
        keyring.delete_password(_KEYRING_SERVICE, key_id)
    except keyring.errors.KeyringError:
        raise ConfigurationError(f"the keyring holds no secret of key {key_id}") from None


def _keyring() -> Any:
    try:
        import keyring  # noqa: PLC0415 - an extra, and slow to import
        import keyring.errors  # noqa: PLC0415 - as above
    except ImportError:
        raise ConfigurationError(
            "a keyring needs the extra `keyring`: pip install 'kycpack[keyring]'"
        ) from None
    return keyring


def _secret_from_keyring(key_id: str) -> str:
    try:
        import keyring  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        return ""
    try:
        return keyring.get_password(_KEYRING_SERVICE, key_id) or ""
    except keyring.errors.KeyringError:
        return ""
