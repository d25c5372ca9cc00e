# SPDX-License-Identifier: GPL-2.0-only
"""Tables as columns, and arguments as texts of the programs."""

from __future__ import annotations

import csv
import numbers
from typing import Any, Mapping, Sequence

import numpy as np

from dcn._core import Error


class Table(dict):
    """Columns by name, all of one length: `pandas.DataFrame(table)` takes it as it is."""

    @classmethod
    def from_rows(cls, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
        """Returns a table of rows whose values are in the order of the names."""
        return cls({name: [row[i] for row in rows] for i, name in enumerate(names)})

    def n_rows(self) -> int:
        """Returns the number of rows."""
        return len(next(iter(self.values()))) if self else 0

    def rows(self) -> list[dict]:
        """Returns a dictionary for each row."""
        return [{name: values[i] for name, values in self.items()} for i in range(self.n_rows())]

    def select(self, **values: Any) -> Table:
        """Returns the rows that have these values, as in `select(size_class="all")`."""
        for name in values:
            if name not in self:
                raise Error(f'the table has no column "{name}"; it has: {", ".join(self)}')
        rows = [i for i in range(self.n_rows())
                if all(self[name][i] == value for name, value in values.items())]
        return Table({name: [column[i] for i in rows] for name, column in self.items()})

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame; raises ImportError without pandas."""
        import pandas  # pylint: disable=import-outside-toplevel
        return pandas.DataFrame(self)

    def to_csv(self, path: str) -> None:
        """Writes the table with a line of names; numbers have all their digits."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self)
            writer.writerows(zip(*self.values()))

    def __str__(self) -> str:
        """Returns the first and the last rows with aligned columns."""
        n = self.n_rows()
        shown = range(n) if n <= 40 else [*range(20), None, *range(n - 20, n)]
        lines = [list(self)]
        for i in shown:
            lines.append([("..." if i is None else _show(column[i])) for column in self.values()])
        widths = [max(len(line[k]) for line in lines) for k in range(len(self))]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths)).rstrip()
                         for line in lines)


def _show(value: Any) -> str:
    """Returns a value as a table shows it: numbers with six digits."""
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral):
        return f"{value:.6g}"
    return str(value)


def to_text(value: Any, name: str) -> str:
    """Returns a value as the programs read it: True is true, 0.5 is 0.5."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    text = str(value) if hasattr(value, "__fspath__") else value
    if not isinstance(text, str):
        raise Error(f"{name} must be a text, a number or a truth value, but it is {value!r}")
    return text


def to_whole(name: str, value: Any, least: int = 0) -> int:
    """Returns a whole number from `least` to 2^63 - 1; others are refused."""
    is_whole = isinstance(value, (numbers.Real, np.bool_)) and value == value
    if not is_whole or abs(value) >= 2**63 or int(value) != value or value < least:
        raise Error(f"{name} must be a whole number from {least} to 2^63 - 1, but it is {value!r}")
    return int(value)


def join_keys(keys: Mapping[str, Any]) -> str:
    """Returns keys as key=value joined by commas; None leaves a key out."""
    parts = []
    for name, value in keys.items():
        if value is None:
            continue
        text = to_text(value, name)
        if isinstance(value, (bool, np.bool_)):
            text = "1" if value else "0"  # keys of network.csv are numbers
        if "," in text:
            raise Error(f'{name}="{text}" has several values, but one scenario is asked for: '
                        "dcn.sweep runs all of a list")
        parts.append(f"{name}={text}")
    return ",".join(parts)


def join_attributes(method: str, attributes: Mapping[str, Any]) -> str:
    """Returns a method with its attributes, as in flowsim:WindowCap=true."""
    return ":".join([method, *(f"{name}={to_text(value, name)}"
                               for name, value in attributes.items())])


def read_columns(argument: str, values: Any, names: Sequence[str],
                 optional: Mapping[str, Any]) -> np.ndarray:
    """Reads whole numbers by column.

    `values` is a mapping of columns, a pandas.DataFrame, a structured array, or rows: a
    two-dimensional array or a list of tuples in the order of `names`, without optional columns.
    `optional` has functions that make columns which may be missing, from the number of rows.
    Returns an array with the columns in the order of optional and then names.
    """
    fields = getattr(getattr(values, "dtype", None), "names", None)
    if fields:
        columns = {name: values[name] for name in fields}
    elif isinstance(values, Mapping) or hasattr(values, "columns"):
        columns = {name: values[name] for name in list(getattr(values, "columns", values))}
    else:
        rows = np.asarray(values)
        if rows.size == 0:
            rows = rows.reshape(0, len(names))
        if rows.ndim != 2 or rows.shape[1] != len(names):
            raise Error(f"{argument} must have the columns {', '.join(names)}, but its shape is "
                        f"{rows.shape}")
        columns = {name: rows[:, i] for i, name in enumerate(names)}
    for name in names:
        if name not in columns:
            raise Error(f'{argument} has no column "{name}"; it needs: {", ".join(names)}')
    known = {*names, *optional}
    for name in columns:
        if name not in known:
            raise Error(f'{argument} has a column "{name}" that has no effect; it takes: '
                        f'{", ".join([*names, *optional])}')
    read = {name: _read_whole(argument, name, column) for name, column in columns.items()}
    lengths = {len(column) for column in read.values()}
    if len(lengths) > 1:
        raise Error(f"the columns of {argument} have different lengths: "
                    + ", ".join(f"{name} {len(column)}" for name, column in read.items()))
    n = lengths.pop()
    parts = [read[name] if name in read else make(n) for name, make in optional.items()]
    parts.extend(read[name] for name in names)
    return np.stack(parts, axis=1).astype(np.int64) if n else np.empty((0, len(parts)), np.int64)


def _read_whole(argument: str, name: str, column: Any) -> np.ndarray:
    """Returns a column as whole numbers of 64 bits; others are refused with their row."""
    values = np.asarray(column)
    if values.ndim != 1:
        raise Error(f"{argument}: {name} must have one value for each row, but its shape is "
                    f"{values.shape}")
    if values.size == 0:
        return values.astype(np.int64)
    if values.dtype.kind in "iub" and values.dtype != np.uint64:
        return values.astype(np.int64)
    whole = np.empty(len(values), np.int64)
    for i, value in enumerate(values.tolist()):
        whole[i] = to_whole(f"{argument}: row {i}: {name}", value, 1 - 2**63)
    return whole


def read_kinds(values: Any) -> np.ndarray:
    """Reads nodes: their number, and 1 for a host or 0 for a switch.

    `values` is a list of kinds, host or switch, of nodes that are numbered from 0; or a mapping, a
    pandas.DataFrame or a structured array with the columns node_id and kind.
    """
    fields = getattr(getattr(values, "dtype", None), "names", None)
    if fields or isinstance(values, Mapping) or hasattr(values, "columns"):
        names = fields or list(getattr(values, "columns", values))
        if sorted(names) != ["kind", "node_id"]:
            raise Error("nodes must have the columns node_id and kind, but it has: "
                        + ", ".join(map(str, names)))
        ids = _read_whole("nodes", "node_id", values["node_id"])
        kinds = list(values["kind"])
    else:
        kinds = list(values)
        ids = np.arange(len(kinds))
    if len(ids) != len(kinds):
        raise Error(f"the columns of nodes have different lengths: node_id {len(ids)}, kind "
                    f"{len(kinds)}")
    is_host = np.zeros(len(kinds), np.int64)
    for i, kind in enumerate(kinds):
        if kind not in ("host", "switch"):
            raise Error(f"nodes: row {i}: kind must be host or switch, but it is {kind!r}")
        is_host[i] = kind == "host"
    return np.stack([ids, is_host], axis=1) if kinds else np.empty((0, 2), np.int64)
