"""The lake in pandas and Polars, without Athena and without floats. docs/without-athena.md says how to use it.

pip install duckdb pandas polars pyarrow
python -i docs/recipes/lake.py s3://<bucket> "2026-11-*"
"""

import pathlib
import sys

import duckdb
import pandas
import polars


def open_lake(lake=".local/s3/daybook", days="*", connection=None):
    """A connection of DuckDB with the views of lake.sql over a bucket or a folder."""
    connection = connection or duckdb.connect()
    for name, value in {"lake": lake, "days": days}.items():
        connection.execute(f"SET VARIABLE {name} = '{value.replace(chr(39), chr(39) * 2)}'")
    connection.execute(pathlib.Path(__file__).with_name("lake.sql").read_text("utf-8"))
    return connection


def to_pandas(relation):
    """Arrow's types: decimal128(38, 3) for amounts, int64 for ids, and a null stays a null."""
    return relation.to_arrow_table().to_pandas(types_mapper=pandas.ArrowDtype)


def to_polars(relation):
    """Decimal(38, 3) for amounts, Int64 for ids."""
    return polars.from_arrow(relation.to_arrow_table())


def csv_in_pandas(path):
    """A CSV file of the lake as it is: every column is a text, and an empty one stands for null."""
    return pandas.read_csv(path, dtype="str", keep_default_na=False)


def csv_in_polars(path):
    """The same in Polars."""
    return polars.read_csv(path, infer_schema=False).fill_null("")


if __name__ == "__main__":
    lake = open_lake(*sys.argv[1:])
    print("""lake is open: try
  to_pandas(lake.sql("SELECT * FROM all_days"))
  to_polars(lake.sql("SELECT * FROM all_invoices")).group_by("merchant_code").sum()""")
