# SPDX-License-Identifier: GPL-2.0-or-later
"""The text form of a recording, for mkprofile, from "stepwell dump --json"."""
NODE_TABLES = ("topology", "topology.node", "series.node", "series.mount",
               "series.interface", "series.gpu")


def scope(table):
    if table["name"] in NODE_TABLES:
        return "node"
    if table["name"] == "programs":
        return "program"
    names = [column["name"] for column in table["columns"]]
    return "task" if "task" in names else "step"


def quoted(text):
    """Plain words are quoted, too: "-" and "0+1" are texts."""
    return '"' + "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\'
        else f"\\x{byte:02x}" for byte in text.encode()) + '"'


def word(value):
    if value is None:
        return "-"
    return quoted(value) if isinstance(value, str) else str(int(value))


def lines(document):
    for table in document["tables"]:
        columns = table["columns"]
        yield f"table {table['name']} {scope(table)} {table['source']}"
        for column in columns:
            yield (f"column {column['name']} {column['unit'] or '-'} "
                   f"{column['kind']}")
        for row in table["rows"]:
            yield " ".join(["row"] + [word(row.get(column["name"]))
                                      for column in columns])


def change(document, table, column, value):
    """A text in all rows of a table; raises LookupError if it has none."""
    rows = [row for found in document["tables"] if found["name"] == table
            for row in found["rows"] if column in row]
    if not rows:
        raise LookupError(f"the recording has no {table} with {column}")
    for row in rows:
        row[column] = value
