"""The addresses of the console."""

from __future__ import annotations

from starlette.routing import Route

from kycpack.service.console import (
    actions,
    controls,
    journal,
    notifications,
    records,
)
from kycpack.service.console.page import Do, Show, do_endpoint, show_endpoint
from kycpack.service.state import Service

_SHOWN: tuple[tuple[str, Show], ...] = (
    ("/", journal.show_overview),
    ("/console/requests", journal.show_requests),
    ("/console/requests/{request_id}", journal.show_request),
    ("/console/customers", records.show_customers),
    ("/console/customers/{customer_id}", records.show_customer),
    ("/console/sessions", records.show_sessions),
    ("/console/sessions/{session_id}", records.show_session),
    ("/console/payments", records.show_payments),
    ("/console/payments/{payment_id}", records.show_payment),
    ("/console/deliveries", notifications.show_deliveries),
    ("/console/deliveries/{number}", notifications.show_delivery),
    ("/console/webhooks/{webhook_id}", notifications.show_endpoint),
    ("/console/mail", notifications.show_mail),
    ("/console/clock", controls.show_clock),
    ("/console/faults", controls.show_faults),
    ("/console/snapshots", controls.show_snapshots),
)
_DONE: tuple[tuple[str, Do], ...] = (
    ("/console/customers/{customer_id}/grant", actions.grant),
    ("/console/customers/{customer_id}/expire-access", actions.expire_access),
    ("/console/customers/{customer_id}/next-results", actions.keep_next_results),
    ("/console/sessions/{session_id}/finish", actions.finish),
    ("/console/sessions/{session_id}/review", actions.review),
    ("/console/sessions/{session_id}/expire", actions.expire),
    ("/console/deliveries/{number}/redeliver", notifications.redeliver_delivery),
    ("/console/webhooks/{webhook_id}/test", notifications.test_endpoint),
    ("/console/clock", controls.move_clock),
    ("/console/faults", controls.add_fault),
    ("/console/faults/clear", controls.clear_faults),
    ("/console/banks", controls.set_bank),
    ("/console/snapshots", controls.take),
    ("/console/snapshots/restore", controls.restore),
    ("/console/snapshots/delete", controls.delete),
)


def console_routes(service: Service) -> list[Route]:
    """Return the routes of the console."""
    shown = [
        Route(path, show_endpoint(service, show), methods=["GET"], include_in_schema=False)
        for path, show in _SHOWN
    ]
    done = [
        Route(path, do_endpoint(service, do), methods=["POST"], include_in_schema=False) for path, do in _DONE
    ]
    return [*shown, *done]
