"""A pipeline of dlt: a resource of pages, a transformer that reads them side by side, and files as the destination."""

import os
from collections.abc import Iterator
from typing import Any

from service import read_task

task = read_task()
# dlt reads its settings from variables.
os.environ["EXTRACT__WORKERS"] = str(task.concurrency)
os.environ["EXTRACT__MAX_PARALLEL_ITEMS"] = str(2 * task.concurrency)
os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
os.environ["DLT_DATA_DIR"] = f"{task.output}/dlt"

import dlt  # noqa: E402
from dlt.sources.helpers import requests  # noqa: E402

headers = task.headers(requests.post(task.login_url, json=task.login).json())


def read(invoice_type: str, page: int) -> dict[str, Any]:
    answer = requests.get(task.list_url, params=task.query(invoice_type, page), headers=headers)
    return task.invoices(answer.content)


@dlt.resource(selected=False)
def pages() -> Iterator[tuple[str, int]]:
    for invoice_type in task.invoice_types:
        last = read(invoice_type, 1)["pagination"]["total_pages"]
        for page in range(1, last + 1):
            yield invoice_type, page


@dlt.transformer(data_from=pages, name="invoices", parallelized=True, max_table_nesting=0)
def invoices(item: tuple[str, int]) -> list[dict[str, Any]]:
    return read(*item)["data"]


pipeline = dlt.pipeline(
    pipeline_name="invoices",
    destination=dlt.destinations.filesystem(bucket_url=f"file://{task.output}/files"),
    dataset_name="daybook",
    pipelines_dir=f"{task.output}/pipelines",
)
pipeline.run(invoices, loader_file_format="jsonl")
