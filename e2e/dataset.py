"""Compares a snapshot of the data set with its descriptor, its other formats, its citation, and its database.

dataset.py DIR RESULTS: DIR is the snapshot, RESULTS a CSV file of the accepted results that Postgres wrote by a query
of its own. Prints every fault and exits with 1, or prints nothing.
"""
import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import duckdb
import frictionless
import mlcroissant

folder, exported = Path(sys.argv[1]), sys.argv[2]
wrong = []

report = frictionless.validate(str(folder / "datapackage.json"))
for task in report.tasks:
    wrong += [f"frictionless: {task.name}: {error.message}" for error in task.errors]
wrong += [f"frictionless: {error.message}" for error in report.errors]
descriptor = json.loads((folder / "datapackage.json").read_text())
checked = {task.name for task in report.tasks}
tables = {r["name"]: r for r in descriptor["resources"] if r["type"] == "table"}  # samples have a table for each month
wrong += [f"frictionless did not look at {name}" for name in tables if name not in checked]

sums = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder, capture_output=True, text=True)
wrong += [sums.stdout] if sums.returncode else []

db = duckdb.connect()
types = {
    "string": "varchar", "integer": "bigint", "number": "double", "boolean": "boolean", "date": "date",
    "array": "varchar",
}
csv_options = "header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"'"


def rows(query):
    return db.sql(query).fetchall()


def as_it_was(field):
    """Removes the apostrophe that guards against formulas in spreadsheets."""
    name = f'"{field["name"]}"'
    if field.get("freeText"):
        return f"case when {name} like '''%' then {name}[2:] else {name} end as {name}"
    return name


lite = sqlite3.connect(f"file:{folder / 'flashdex.sqlite'}?mode=ro", uri=True)
for pragma in ("integrity_check", "foreign_key_check"):
    found = [row for row in lite.execute(f"pragma {pragma}") if row != ("ok",)]
    wrong += [f"sqlite {pragma}: {found[:5]}"] if found else []
in_sqlite = {name for (name,) in lite.execute("select name from sqlite_master where type = 'table'")}

for name, resource in tables.items():
    fields = resource["schema"]["fields"]
    columns = "{" + ", ".join(f"'{f['name']}': '{types[f['type']]}'" for f in fields) + "}"
    plain = ", ".join(as_it_was(f) for f in fields)
    key = ", ".join(f'"{k}"' for k in resource["schema"]["primaryKey"])
    db.sql(
        f"create table csv as select {plain} from read_csv('{folder / resource['path']}', "
        f"{csv_options}, new_line = '\\r\\n', columns = {columns})"
    )
    db.sql(f"create table parquet as select * from '{folder}/{name}.parquet'")
    for one, other in (("csv", "parquet"), ("parquet", "csv")):
        extra = rows(f"from {one} except all from {other} limit 3")
        wrong += [f"{name}: in {one} and not in {other}: {extra}"] if extra else []
    described = [(f["name"], types[f["type"]].upper()) for f in fields]
    found = [(column, of) for column, of, *_ in rows("describe parquet")]
    wrong += [f"{name}.parquet: columns {found}, want {described}"] if found != described else []
    if name in in_sqlite:
        names = ", ".join(f'"{f["name"]}"' for f in fields)
        mine = lite.execute(f"select {names} from {name} order by {key}").fetchall()
        plain_row = lambda row: tuple(str(v) if hasattr(v, "isoformat") else v for v in row)
        theirs = [plain_row(row) for row in rows(f"from parquet order by {key}")]
        wrong += [f"{name}: SQLite differs from Parquet"] if mine != theirs else []
    elif not name.startswith("samples-"):
        wrong.append(f"{name} is not in SQLite")
    if name == "results":
        composed = ("name", "variant", "signs")  # by the server, in no table of Postgres
        shared = [f["name"] for f in fields if f["name"] not in composed]
        select = ", ".join(f'"{c}"' for c in shared)
        only = "{" + ", ".join(f"'{f['name']}': '{types[f['type']]}'" for f in fields if f["name"] in shared) + "}"
        db.sql(f"create table postgres as from read_csv('{exported}', {csv_options}, columns = {only})")
        for one, other in (("postgres", "parquet"), ("parquet", "postgres")):
            extra = rows(f"(select {select} from {one}) except all (select {select} from {other}) limit 3")
            wrong += [f"results: in {one} and not in {other}: {extra}"] if extra else []
        if not rows("from postgres limit 1"):
            wrong.append("there are no results to compare")
        db.sql("drop table postgres")
    db.sql("drop table csv; drop table parquet")

# Croissant describes the same columns, and its reader finds every row by it.
described = folder.parent / "croissant.json"
files = [f["name"] for f in json.loads(described.read_text())["distribution"]]
croissant = mlcroissant.Dataset(jsonld=str(described), mapping={name: folder / name for name in files})
wrong += [f"croissant: {problem}" for problem in croissant.metadata.ctx.issues.warnings]
sets = {s.name: s for s in croissant.metadata.record_sets}
for name, resource in tables.items():
    if name.startswith("samples-"):
        continue
    fields = [f["name"] for f in resource["schema"]["fields"]]
    found = [f.name for f in sets[name].fields]
    wrong += [f"croissant: {name} has the columns {found}"] if found != fields else []
    ((want,),) = rows(f"select count(*) from '{folder}/{name}.parquet'")
    found = sum(1 for _ in croissant.records(name))
    wrong += [f"croissant: {name} has {found} rows and not {want}"] if found != want else []

# How to cite a snapshot by the day: the page of the data set says the same by the list of snapshots.
dated = json.loads((folder.parent / "snapshots.json").read_text())["dated"]
wrong += [] if dated else ["there is no snapshot by the day to cite"]
for snapshot in dated:
    citation = (folder.parent / snapshot["date"] / "CITATION.cff").read_text()
    cited = dict(re.findall(r'^(version|date-released|url): "?([^"\n]+)"?$', citation, re.MULTILINE))
    want = {"date-released": snapshot["date"], "version": snapshot["as_of"]}
    wrong += [f"cited is {cited}, want {want}"] if cited | want != cited else []
    wrong += [f"cited is {cited['url']}"] if not cited["url"].endswith(f"/data/{snapshot['date']}/") else []

print("\n".join(wrong), end="")
sys.exit(1 if wrong else 0)
