"""OpenTelemetry spans of a batch: one for the run, and within it one per attempt at a customer; ids and outcomes only.

OpenTelemetry's own variables, such as `OTEL_EXPORTER_OTLP_ENDPOINT`, say where and how they are sent.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from kycpack.errors import ConfigurationError

if TYPE_CHECKING:
    from kycpack.batch import RunEntry, RunReport

_NEEDS = "spans need kycpack's extra `telemetry`: pip install 'kycpack[telemetry]'"
_NANO = 1_000_000_000


class RunSpans:
    """Sends the spans of one run.

    Args:
        exporter: Sends the spans; None for the exporter of OTLP over HTTP, which reads OpenTelemetry's variables.

    Raises:
        ConfigurationError: OpenTelemetry is not installed.
    """

    def __init__(self, exporter: Any = None) -> None:
        try:
            from opentelemetry import trace
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ImportError:
            raise ConfigurationError(_NEEDS) from None
        self._trace = trace
        self._provider = TracerProvider(resource=Resource.create({"service.name": "kycpack"}))
        self._provider.add_span_processor(BatchSpanProcessor(exporter or OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("kycpack")
        self._run = self._tracer.start_span("kycpack batch")

    def started(self, run_id: str, in_scope: int, skipped: int) -> None:
        """Add the run's id and size to its span."""
        self._run.set_attributes(
            {"kycpack.run_id": run_id, "kycpack.in_scope": in_scope, "kycpack.skipped": skipped}
        )

    def customer(self, entry: RunEntry) -> None:
        """Add the span of an attempt at a customer that has just ended."""
        now = time.time_ns()
        span = self._tracer.start_span(
            "kycpack customer",
            context=self._trace.set_span_in_context(self._run),
            start_time=now - int(entry.seconds * _NANO),
            attributes={
                "kycpack.customer_id": entry.customer_id,
                "kycpack.outcome": entry.outcome,
                "kycpack.level": entry.level,
                "kycpack.cause": entry.cause,
            },
        )
        if not entry.is_settled:
            span.set_status(self._trace.StatusCode.ERROR)
        span.end(now)

    def ended(self, exit_code: int, report: RunReport | None) -> None:
        """End the span of the run, and send all remaining spans."""
        self._run.set_attribute("kycpack.exit_code", exit_code)
        if report is not None:
            self._run.set_attribute("kycpack.state", report.state)
        if exit_code:
            self._run.set_status(self._trace.StatusCode.ERROR)
        self._run.end()
        self._provider.shutdown()
