"""Check that a JSON value is a record, by ``record.schema.json`` next to this file.

The schema is compiled to a function (some 25 microseconds per record), so that files of many records are
checked line by line as they are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any

from gunrock_cli.errors import printable
from gunrock_cli.jsontypes import Json


@cache
def schema() -> Mapping[str, Json]:
    """The JSON schema of a record."""
    text = (resources.files("gunrock_cli.bench.records") / "record.schema.json").read_text("utf-8")
    found: Mapping[str, Json] = json.loads(text)
    return found


def check_record(data: Any) -> None:
    """Raise ``ValueError`` that names the first field that does not fit the schema."""
    from fastjsonschema import JsonSchemaValueException

    try:
        _compiled()(data)
    except JsonSchemaValueException as error:
        words = error.message.removeprefix("data").removeprefix(".").strip()
        raise ValueError(printable(words)[:200]) from None


@cache
def _compiled() -> Callable[[Any], Any]:
    import fastjsonschema

    # These keys name the schema; the compiler would take them for addresses to fetch references from.
    local = {key: value for key, value in schema().items() if key not in ("$id", "$schema")}
    compiled: Callable[[Any], Any] = fastjsonschema.compile(local)
    return compiled
