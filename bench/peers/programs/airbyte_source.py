"""A source of airbyte-cdk: one stream whose slices are the pages, read side by side. It prints Airbyte's messages."""

import json
import logging
from collections.abc import Iterable, Mapping
from typing import Any

import requests
from airbyte_cdk.entrypoint import launch
from airbyte_cdk.models import ConnectorSpecification
from airbyte_cdk.sources.concurrent_source.concurrent_source import ConcurrentSource
from airbyte_cdk.sources.concurrent_source.concurrent_source_adapter import ConcurrentSourceAdapter
from airbyte_cdk.sources.message import InMemoryMessageRepository
from airbyte_cdk.sources.streams import Stream
from airbyte_cdk.sources.streams.concurrent.adapters import StreamFacade
from airbyte_cdk.sources.streams.concurrent.cursor import FinalStateCursor
from airbyte_cdk.sources.streams.http import HttpStream

from service import INVOICE_SCHEMA, Task, read_task


class Invoices(HttpStream):
    primary_key = "id"
    name = "invoices"

    def __init__(self, task: Task, headers: dict[str, str]) -> None:
        super().__init__()
        self._task = task
        self._headers = headers

    @property
    def url_base(self) -> str:
        return f"{self._task.origin}/"

    def path(self, **_: Any) -> str:
        return "api/v1/invoice-dashboard"

    def get_json_schema(self) -> Mapping[str, Any]:
        return INVOICE_SCHEMA

    def next_page_token(self, response: requests.Response) -> None:
        return None

    def request_headers(self, **_: Any) -> Mapping[str, Any]:
        return self._headers

    def request_params(self, stream_slice: Mapping[str, Any] | None = None, **_: Any) -> dict[str, Any]:
        asked = stream_slice or {}
        return self._task.query(asked["type"], asked["page"])

    def stream_slices(self, **_: Any) -> Iterable[Mapping[str, Any]]:
        for invoice_type in self._task.invoice_types:
            answer = requests.get(
                self._task.list_url, params=self._task.query(invoice_type, 1), headers=self._headers, timeout=60
            )
            last = self._task.invoices(answer.content)["pagination"]["total_pages"]
            for page in range(1, last + 1):
                yield {"type": invoice_type, "page": page}

    def parse_response(self, response: requests.Response, **_: Any) -> Iterable[Mapping[str, Any]]:
        return self._task.invoices(response.content)["data"]


class Payments(ConcurrentSourceAdapter):
    message_repository = InMemoryMessageRepository()

    def __init__(self, task: Task) -> None:
        self._task = task
        logger = logging.getLogger("airbyte")
        workers = task.concurrency
        super().__init__(ConcurrentSource.create(workers, 1, logger, self._slice_logger, self.message_repository))

    def check_connection(self, logger: logging.Logger, config: Mapping[str, Any]) -> tuple[bool, None]:
        return True, None

    def streams(self, config: Mapping[str, Any]) -> list[Stream]:
        answer = requests.post(self._task.login_url, json=self._task.login, timeout=60)
        stream = Invoices(self._task, self._task.headers(answer.json()))
        cursor = FinalStateCursor(stream.name, stream.namespace, self.message_repository)
        return [StreamFacade.create_from_stream(stream, self, logging.getLogger("airbyte"), {}, cursor)]

    def spec(self, logger: logging.Logger) -> ConnectorSpecification:
        return ConnectorSpecification(connectionSpecification={"type": "object", "properties": {}})


CATALOG = {
    "streams": [
        {
            "stream": {"name": "invoices", "json_schema": {}, "supported_sync_modes": ["full_refresh"]},
            "sync_mode": "full_refresh",
            "destination_sync_mode": "overwrite",
        }
    ]
}


def main() -> None:
    task = read_task()
    config, catalog = f"{task.output}/config.json", f"{task.output}/catalog.json"
    for path, content in ((config, {}), (catalog, CATALOG)):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
    launch(Payments(task), ["read", "--config", config, "--catalog", catalog])


main()
