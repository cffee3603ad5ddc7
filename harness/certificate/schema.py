"""The JSON Schema of certificates, made from the records that read and write them."""

from __future__ import annotations

import json

from harness.certificate.statement import SCHEMA, Statement
from harness.contract.codec import schema_of

__all__ = ["text"]

_ID = f"https://github.com/pytest-trt-conformance/certificate/v{SCHEMA}.json"


def text() -> str:
    """Return the schema, in the dialect 2020-12."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": _ID,
        "title": "TensorRT plugin certificate",
    }
    return json.dumps({**head, **schema_of(Statement)}, indent=1) + "\n"
