"""What every program needs of the payment service: the task, the login, the query of a page, and decrypting."""

import json
import sys
from dataclasses import dataclass
from typing import Any

import orjson
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


@dataclass(frozen=True)
class Task:
    """Which day is read, from where, and the folder that the output goes to."""

    origin: str
    day: str
    merchant_code: str
    username: str
    password: str
    access_code: str
    key: str
    iv: str
    invoice_types: list[str]
    concurrency: int
    output: str

    @property
    def login_url(self) -> str:
        return f"{self.origin}/api/v1/login"

    @property
    def list_url(self) -> str:
        return f"{self.origin}/api/v1/invoice-dashboard"

    @property
    def login(self) -> dict[str, str]:
        return {"username": self.username, "password": self.password}

    def headers(self, login_answer: dict[str, Any]) -> dict[str, str]:
        token = login_answer["response"]["token"]["access_token"]
        return {
            "accept": "application/json",
            "content-type": "application/json",
            "authorization": f"Bearer {token}",
            "accessCode": self.access_code,
        }

    def query(self, invoice_type: str, page: int) -> dict[str, str]:
        return {
            "fromDate": self.day,
            "toDate": self.day,
            "page": str(page),
            "invoiceType": invoice_type,
            "data": self.encrypted(json.dumps({"merchantCode": self.merchant_code}, separators=(",", ":"))),
        }

    def encrypted(self, text: str) -> str:
        plain = text.encode()
        pad = 16 - len(plain) % 16
        encryptor = self._cipher().encryptor()
        return encryptor.update(plain + bytes([pad]) * pad).hex()

    def invoices(self, body: bytes) -> dict[str, Any]:
        """The records of a page (`data`) and its `pagination`."""
        padded = self._cipher().decryptor().update(bytes.fromhex(orjson.loads(body)["response"]))
        return orjson.loads(padded[: -padded[-1]])["response"]["invoices"]

    def _cipher(self) -> Cipher:
        return Cipher(algorithms.AES(self.key.encode()), modes.CBC(self.iv.encode()))


def read_task() -> Task:
    """The task in the file that the first argument names."""
    with open(sys.argv[1], encoding="utf-8") as file:
        return Task(**json.load(file))


INTEGERS = (
    "id invoice_type invoice_sub_type order_drop_id subscription invoice_status sms_status url_status"
    " visited_count country_id created_id"
).split()
TEXTS = (
    "token access_key split_access_key merchant_id reference_number amount admin_charge service_charge discount"
    " description sms_response language expires_at url spliturl created_at updated_at rentperiod"
).split()
OBJECTS = "transaction customer created_by_merchant".split()
LISTS = "payment_method products".split()

#: The members of an invoice as a JSON schema, for the tools that ask for one.
INVOICE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        **{name: {"type": ["integer", "null"]} for name in INTEGERS},
        **{name: {"type": ["string", "null"]} for name in TEXTS},
        **{name: {"type": ["object", "null"], "additionalProperties": True} for name in OBJECTS},
        **{name: {"type": ["array", "null"], "items": {}} for name in LISTS},
    },
}
