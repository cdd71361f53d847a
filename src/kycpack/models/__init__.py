"""Records as they are sent over the wire, shared by the toolkit and the embedded service.

One module per resource: `customers`, `payments`, `onboarding`, `bank_data`, `wealth`, `webhooks`, `errors`. Below them `record`
(what requests and answers have in common), `enums`, `money`, `instants`, `json` and `signing`.
"""
