"""Rate limit for each key; there is no limit unless one is configured."""

from __future__ import annotations

import math
import threading

from kycpack.service.clock import Clock
from kycpack.service.problems import RefusedError


class RateLimiter:
    """Limits the requests of each key per minute.

    Args:
        clock: The service's clock.
        per_minute: Maximum number of requests; None for no limit.
    """

    def __init__(self, clock: Clock, per_minute: int | None) -> None:
        self._clock = clock
        self._per_minute = per_minute
        self._windows: dict[str, tuple[int, int]] = {}
        self._lock = threading.Lock()

    def admit(self, key_id: str) -> None:
        """Count a request.

        Raises:
            RefusedError: 429 with Retry-After.
        """
        if self._per_minute is None:
            return
        now = self._clock.now().timestamp()
        minute = int(now // 60)
        with self._lock:
            window, used = self._windows.get(key_id, (minute, 0))
            used = used + 1 if window == minute else 1
            self._windows[key_id] = (minute, used)
        if used > self._per_minute:
            wait = max(1, math.ceil((minute + 1) * 60 - now))
            message = f"More than {self._per_minute} requests per minute"
            raise RefusedError(429, "rate_limited", message, headers={"Retry-After": str(wait)})
