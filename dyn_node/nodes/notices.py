"""Log lines that are not repeated: once for each matter, or at most every few seconds."""

from __future__ import annotations

import time
from typing import Any

#: More matters than this are not remembered, so that hostile names cannot fill the memory.
_MOST = 200


class Notices:
    """Calls as `notices(key, text)` warn once a key; `every` warns at most once in `seconds` a key."""

    def __init__(self, logger: Any) -> None:
        self._logger = logger
        self._said: set[str] = set()
        self._last: dict[str, float] = {}

    def __call__(self, key: str, text: str) -> None:
        """Warn, the first time that this key comes."""
        if key in self._said or len(self._said) >= _MOST:
            return
        self._said.add(key)
        self._logger.warning(text)

    def every(self, key: str, text: str, seconds: float = 5.0) -> None:
        """Warn, unless this key was warned of within the last `seconds` (steady clock)."""
        now = time.monotonic()
        if now - self._last.get(key, -seconds) < seconds or len(self._last) >= _MOST:
            return
        self._last[key] = now
        self._logger.warning(text)
