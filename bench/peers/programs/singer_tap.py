"""A tap of singer-sdk: one stream with a partition for each invoice type, page after page. It prints Singer's messages."""

import json
from collections.abc import Iterable
from typing import Any

import requests
from singer_sdk import RESTStream, Tap
from singer_sdk.pagination import PageNumberPaginator

from service import INVOICE_SCHEMA, read_task

task = read_task()
headers = task.headers(requests.post(task.login_url, json=task.login, timeout=60).json())


class LastPage(PageNumberPaginator):
    """Ends after the last page."""

    last = 1

    def has_more(self, response: requests.Response) -> bool:
        return self.current_value < self.last


class Invoices(RESTStream[int]):
    name = "invoices"
    path = "/api/v1/invoice-dashboard"
    url_base = task.origin
    primary_keys = ("id",)
    schema = INVOICE_SCHEMA
    partitions = [{"type": invoice_type} for invoice_type in task.invoice_types]

    @property
    def http_headers(self) -> dict[str, str]:
        return headers

    def get_new_paginator(self) -> LastPage:
        self._paginator = LastPage(1)
        return self._paginator

    def get_url_params(self, context: Any, next_page_token: int | None) -> dict[str, str]:
        return task.query(context["type"], next_page_token or 1)

    def parse_response(self, response: requests.Response) -> Iterable[dict[str, Any]]:
        page = task.invoices(response.content)
        self._paginator.last = page["pagination"]["total_pages"]
        yield from page["data"]


class Payments(Tap):
    name = "tap-payments"
    config_jsonschema = {"type": "object", "properties": {}}

    def discover_streams(self) -> list[Invoices]:
        return [Invoices(self)]


def main() -> None:
    config = f"{task.output}/config.json"
    with open(config, "w", encoding="utf-8") as file:
        json.dump({}, file)
    Payments.cli(["--config", config])


main()
