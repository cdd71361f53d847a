"""The settings: one frozen object, and the only place that reads the environment.

What is given as an argument wins over the environment, which wins over the keyring and the defaults.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kycpack.errors import ConfigurationError

_KEYRING_SERVICE = "kycpack"


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the service is, who acts, and where things are kept.

    Attributes:
        base_url: The service's address; empty when none is configured.
        key_id: Id of the API key; empty when none is configured.
        secret: The key's secret, base64; never shown.
        workspace: URL or path of the workspace database.
        reports: Folder that packs are written to.
        analyst: Who acts, as packs and decisions name them; empty when nobody is named.
        reviewer: The second person; empty when nobody was named.
        bank_adapter: Which shape the service's pages of bank transactions have, by the name of its adapter.
        signing_key: File of the key that the one who acts signs with; empty where people have no keys.
        signing_passphrase: What that file is encrypted with; never shown.
        signer: What signs requests instead of `kyc-hmac-v1`, as `package.module:name`; empty for that.
        ledger_anchor: File of anchors, best on another machine; empty for `ledger-anchor.jsonl` beside the workspace.
    """

    base_url: str = ""
    key_id: str = ""
    secret: str = field(default="", repr=False)
    workspace: str = "kycpack.db"
    reports: Path = Path("reports")
    analyst: str = ""
    reviewer: str = ""
    bank_adapter: str = "service-v1"
    signer: str = ""
    signing_key: str = ""
    signing_passphrase: str = field(default="", repr=False)
    ledger_anchor: str = ""

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None, **given: str | None) -> Settings:
        """Read the settings.

        Args:
            environ: The environment to read; the process's own by default. Names are `KYCPACK_BASE_URL`,
                `KYCPACK_KEY_ID`, `KYCPACK_SECRET`, `KYCPACK_WORKSPACE`, `KYCPACK_REPORTS`, `KYCPACK_ANALYST`,
                `KYCPACK_REVIEWER`, `KYCPACK_BANK_ADAPTER`, `KYCPACK_SIGNER`, `KYCPACK_SIGNING_KEY`, `KYCPACK_SIGNING_PASSPHRASE`,
                `KYCPACK_LEDGER_ANCHOR`.
            **given: Values that win over the environment; None means not given.

        Returns:
            The settings; the secret comes from the keyring where neither argument nor environment has it.

        Raises:
            ConfigurationError: A name is not a setting.
        """
        names = cls.__dataclass_fields__
        unknown = sorted(set(given) - set(names))
        if unknown:
            raise ConfigurationError(f"unknown setting: {', '.join(unknown)}")
        environment = os.environ if environ is None else environ
        values = {
            name: value
            for name in names
            if (value := given.get(name) or environment.get(f"KYCPACK_{name.upper()}"))
        }
        if values.get("key_id") and not values.get("secret"):
            values["secret"] = _secret_from_keyring(values["key_id"])
        reports = Path(values.pop("reports", "reports"))
        return cls(reports=reports, **values)

    def require_credentials(self) -> None:
        """Raise unless address, key id and secret are all there; a signer of the user's own may do without the last two.

        Raises:
            ConfigurationError: Names what is missing and how to give it.
        """
        names = ("base_url",) if self.signer else ("base_url", "key_id", "secret")
        missing = [name for name in names if not getattr(self, name)]
        if missing:
            hints = ", ".join(f"{name} (KYCPACK_{name.upper()})" for name in missing)
            raise ConfigurationError(f"not configured: {hints}; `kycpack serve` starts a service of your own")


def keep_secret(key_id: str, secret: str) -> None:
    """Keep the secret of a key in the system's keyring.

    Args:
        key_id: Id of the API key.
        secret: Its secret.

    Raises:
        ConfigurationError: There is no keyring, or it refuses.
    """
    keyring = _keyring()
    try:
        keyring.set_password(_KEYRING_SERVICE, key_id, secret)
    except keyring.errors.KeyringError as error:
        raise ConfigurationError(f"the keyring cannot keep a secret ({type(error).__name__})") from None


def forget_secret(key_id: str) -> None:
    """Take the secret of a key out of the system's keyring.

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
