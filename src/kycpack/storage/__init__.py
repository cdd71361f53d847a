"""The database engine that the service and the workspace share: SQLite by path, PostgreSQL by URL.

`engine` opens it, `transactions` reads and writes, `layout` makes tables and brings older ones up to date. What is stored, and the
words in which a failure is reported, belong to whoever opens it.
"""
