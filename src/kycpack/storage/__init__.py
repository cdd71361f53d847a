"""The database engine that the service and the workspace share: SQLite by path, PostgreSQL by URL.

`engine` opens it, `transactions` reads and writes, `layout` makes tables and brings older ones up to date. The caller decides
what is stored and how failures are reported.
"""
