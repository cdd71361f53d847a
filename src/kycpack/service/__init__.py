"""The service: a complete implementation of the interface, on SQLite or PostgreSQL.

From the inside out: `schema` and `database`; the domain (`customers`, `payments`, `attempts`, `banks`, `bank_access`, `sessions`,
`results`, `completion`, `media`, `statements`, `webhooks`); `operation` and `routes`, which define every operation once; `auth`
and `bodies`, which process each request; `control`, `faults` and `clock`, which control it in tests and training;
`app`, `server` and `embedded`, which run it.
"""
