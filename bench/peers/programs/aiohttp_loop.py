"""A loop tuned by hand: aiohttp, uvloop and orjson. It writes JSON lines and CSV, compressed, to the local disk."""

import asyncio
import csv
import gzip
import io
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import orjson
import uvloop

from service import Task, read_task

LEVEL = 3


async def pages(task: Task, session: aiohttp.ClientSession) -> AsyncIterator[tuple[str, list[dict[str, Any]]]]:
    """The pages of the day in order, `concurrency` of them under way at a time."""

    async def read(invoice_type: str, page: int) -> dict[str, Any]:
        async with session.get(task.list_url, params=task.query(invoice_type, page)) as answer:
            return task.invoices(await answer.read())

    firsts = await asyncio.gather(*(read(invoice_type, 1) for invoice_type in task.invoice_types))
    running: deque[tuple[str, asyncio.Task[dict[str, Any]]]] = deque()
    for invoice_type, first in zip(task.invoice_types, firsts):
        yield invoice_type, first["data"]
        for page in range(2, first["pagination"]["total_pages"] + 1):
            running.append((invoice_type, asyncio.create_task(read(invoice_type, page))))
            if len(running) >= task.concurrency:
                of_type, next_page = running.popleft()
                yield of_type, (await next_page)["data"]
    for of_type, next_page in running:
        yield of_type, (await next_page)["data"]


def columns(record: dict[str, Any]) -> list[str]:
    """The names of the columns; members of an object get one each."""
    names: list[str] = []
    for name, value in record.items():
        names += [f"{name}_{member}" for member in value] if isinstance(value, dict) else [name]
    return names


def cells(record: dict[str, Any]) -> list[Any]:
    row: list[Any] = []
    for value in record.values():
        if isinstance(value, dict):
            row += value.values()
        elif isinstance(value, list):
            row.append(orjson.dumps(value).decode())
        else:
            row.append(value)
    return row


async def main() -> None:
    task = read_task()
    async with aiohttp.ClientSession() as session:
        async with session.post(task.login_url, json=task.login) as answer:
            headers = task.headers(await answer.json())
    connector = aiohttp.TCPConnector(limit=task.concurrency)
    with (
        gzip.open(f"{task.output}/invoices.json.gz", "wb", LEVEL) as json_file,
        gzip.open(f"{task.output}/invoices.csv.gz", "wb", LEVEL) as csv_file,
    ):
        has_header = False
        async with aiohttp.ClientSession(headers=headers, connector=connector) as session:
            async for invoice_type, records in pages(task, session):
                own = {"_merchant_code": task.merchant_code, "_day": task.day, "_query_type": invoice_type}
                rows = [own | record for record in records]
                text = io.StringIO()
                writer = csv.writer(text, lineterminator="\n")
                if rows and not has_header:
                    writer.writerow(columns(rows[0]))
                    has_header = True
                writer.writerows(map(cells, rows))
                json_file.write(b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows))
                csv_file.write(text.getvalue().encode())


uvloop.run(main())
