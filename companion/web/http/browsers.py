"""Browsers inside other apps: what a QR scanner or a messenger opens forgets its cookies when it is
closed, and often keeps them apart from those of the phone's own browser."""

from __future__ import annotations

import re
from typing import Final

_IN_APP: Final = re.compile(
    r"; wv\)|\bFB(?:AN|AV|_IAB)\b|Instagram|Line/|MicroMessenger|Snapchat|Pinterest|TikTok|"
    r"musical_ly|BytedanceWebview|Twitter|Viber|LinkedInApp|GSA/|KAKAOTALK|DuckDuckGo-Scanner|"
    r"QR ?(?:Code ?)?(?:Reader|Scanner)|Barcode",
    re.IGNORECASE,
)
_APPLE: Final = re.compile(r"\b(?:iPhone|iPad|iPod)\b")
_SAFARI: Final = re.compile(r"Safari/|CriOS/|FxiOS/|EdgiOS/")


def in_app(user_agent: str) -> bool:
    """
    >>> in_app("Mozilla/5.0 (Linux; Android 14; Pixel 7; wv) … Version/4.0 Chrome/120.0 Mobile")
    True
    >>> in_app("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) … Mobile/15E148")
    True
    >>> in_app("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) … Version/17.0 Mobile/15E148 Safari/604.1")
    False
    """
    if _IN_APP.search(user_agent):
        return True
    return bool(_APPLE.search(user_agent)) and not _SAFARI.search(user_agent)
