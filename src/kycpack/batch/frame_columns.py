"""The types of columns over many packs: a pack without a value in a column does not determine the column's type."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import pyarrow as pa

_LISTS: Mapping[str, Collection[str]] = {
    "flags": {"txn_ids", "evidence_ids"},
    "findings": {"evidence_ids"},
    "consistency": {"evidence_ids"},
    "recommendations": {"reasons", "fired", "unknown", "routes"},
}
"""Columns of lists; the file of a pack without rows gives their type as text."""


def as_lists(name: str, table: pa.Table) -> pa.Table:
    """Return a frame of a pack with its list columns typed as lists, even if no row has a value."""
    for column in _LISTS.get(name, ()):
        index = table.schema.get_field_index(column)
        if index >= 0 and not pa.types.is_list(table.schema.field(index).type):
            empty = pa.nulls(table.num_rows, pa.list_(pa.string()))
            table = table.set_column(index, column, empty)
    return table


def joined(tables: Sequence[pa.Table]) -> pa.Table:
    """Return the rows of several tables as one table with the columns of all, in order of first occurrence."""
    schema = united([(table.schema, valued(table)) for table in tables])
    return pa.concat_tables([as_schema(table, schema) for table in tables]).combine_chunks()


def united(found: Iterable[tuple[pa.Schema, Collection[str]]]) -> pa.Schema:
    """Return a schema that can hold the rows of several tables.

    Args:
        found: For each table, its schema and the columns in which it has values.

    Returns:
        The columns of all tables. The type comes from the tables with values; if these differ and no type fits all, it is text.
    """
    names: dict[str, tuple[list[pa.DataType], list[pa.DataType]]] = {}
    for schema, valued in found:
        for field in schema:
            with_values, without = names.setdefault(field.name, ([], []))
            (with_values if field.name in valued else without).append(field.type)
    return pa.schema([(name, _type(*types)) for name, types in names.items()])


def as_schema(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return a table with the columns of a schema; a column that is missing or has no values becomes an empty column."""
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
    # If no table has a value, prefer a type other than text: it was declared on purpose.
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
