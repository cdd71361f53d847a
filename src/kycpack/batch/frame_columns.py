"""The types of columns over many packs: a pack without a value in a column says nothing of its type."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import pyarrow as pa

_LISTS: Mapping[str, Collection[str]] = {
    "flags": {"txn_ids", "evidence_ids"},
    "findings": {"evidence_ids"},
    "consistency": {"evidence_ids"},
    "recommendations": {"reasons", "fired", "unknown", "routes"},
}
"""Columns of lists; in a pack without a row their file says text."""


def as_lists(name: str, table: pa.Table) -> pa.Table:
    """Return a frame of a pack with the columns of lists as lists, also where no row says what they are."""
    for column in _LISTS.get(name, ()):
        index = table.schema.get_field_index(column)
        if index >= 0 and not pa.types.is_list(table.schema.field(index).type):
            empty = pa.nulls(table.num_rows, pa.list_(pa.string()))
            table = table.set_column(index, column, empty)
    return table


def joined(tables: Sequence[pa.Table]) -> pa.Table:
    """Return the rows of some tables under the columns of all of them, in the order in which they first come."""
    schema = united([(table.schema, valued(table)) for table in tables])
    return pa.concat_tables([as_schema(table, schema) for table in tables]).combine_chunks()


def united(found: Iterable[tuple[pa.Schema, Collection[str]]]) -> pa.Schema:
    """Return the schema that holds the rows of several tables.

    Args:
        found: Of each table its schema, and the columns in which it has values.

    Returns:
        The columns of all. A type is that of the tables with values; where these differ and none holds both, it is text.
    """
    names: dict[str, tuple[list[pa.DataType], list[pa.DataType]]] = {}
    for schema, valued in found:
        for field in schema:
            with_values, without = names.setdefault(field.name, ([], []))
            (with_values if field.name in valued else without).append(field.type)
    return pa.schema([(name, _type(*types)) for name, types in names.items()])


def as_schema(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return a table under the columns of a schema; a column without values has any type, and one that is missing is empty."""
    columns = []
    for field in schema:
        index = table.schema.get_field_index(field.name)
        column = None if index < 0 else table.column(index)
        if column is None or column.null_count == table.num_rows:
            columns.append(pa.nulls(table.num_rows, field.type))
        else:
            columns.append(column.cast(field.type))
    return pa.table(columns, schema=schema)


def valued(table: pa.Table) -> set[str]:
    """Return the columns of a table that have values."""
    return {name for name in table.column_names if table.column(name).null_count < table.num_rows}


def _type(with_values: Sequence[pa.DataType], without: Sequence[pa.DataType]) -> pa.DataType:
    # Where nobody has a value, a type that is not text was at least meant.
    types = list(dict.fromkeys(with_values)) or sorted(
        dict.fromkeys(without), key=lambda each: pa.types.is_string(each) or pa.types.is_null(each)
    )
    if len(types) == 1 or not with_values:
        return types[0]
    try:
        fields = [pa.schema([("column", each)]) for each in types]
        return pa.unify_schemas(fields, promote_options="permissive").field(0).type
    except pa.ArrowException:
        return pa.string()
