"""The secret key: given as a setting, or made at the first start and kept beside the tables."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from companion.setting_checks import SECRET_BYTES
from companion.settings import Settings, SettingsError
from companion.storage.folder import KEY_FILE, sync_folder


def file_of(settings: Settings) -> Path | None:
    """Where the key lies, or will from the first start on; None: it was given as a text."""
    if settings.secret_key_file:
        return Path(settings.secret_key_file)
    return None if settings.secret_key else settings.data / KEY_FILE


def secret_key(settings: Settings) -> bytes:
    """The key; its file is for the owner's eyes only."""
    if settings.secret_key:
        return as_bytes(settings.secret_key)
    path = settings.data / KEY_FILE
    try:
        if not path.exists():
            _make(path)
        key = path.read_bytes()
    except OSError as error:
        raise SettingsError(
            f"The data folder {path.parent} cannot be used: {error.strerror}."
        ) from error
    if len(key) != SECRET_BYTES:
        raise SettingsError(f"{path} is damaged: it must hold {SECRET_BYTES} bytes.")
    return key


def as_bytes(given: str) -> bytes:
    """Of a setting, which may be the text of a file with a key that the program has made."""
    return given.encode(errors="surrogateescape")


def _make(path: Path) -> None:
    """All of it appears at once, or nothing."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secrets.token_bytes(SECRET_BYTES))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_folder(path.parent)
