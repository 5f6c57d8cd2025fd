"""``--set OPTION=VALUE``, checked against a primitive's own declarations."""

from __future__ import annotations

from typing import Any

import click

from gunrock_cli.bench.studies.ablation import RUN_AXES
from gunrock_cli.cli.number_types import option_type
from gunrock_cli.errors import UsageError
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.option import Option


def parse_settings(primitive: Primitive, texts: tuple[str, ...]) -> dict[str, Any]:
    """Parse values by key, for the primitive's options and those of every run."""
    options = {option.key: option for option in primitive.options}
    found: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        key = name.strip().lstrip("-").replace("-", "_")
        if not sign or not value:
            raise UsageError(f"--set {text}: write OPTION=VALUE")
        if key in RUN_AXES:
            found[key] = _value(text, value.upper() if key == "advance_mode" else value, RUN_AXES[key])
        elif key in options:
            found[key] = _value(text, value, options[key])
        else:
            raise UsageError(
                f"--set {text}: {primitive.name} has no such option (it has "
                f"{', '.join([*RUN_AXES, *options])})"
            )
    return found


def _one_of(text: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise UsageError(f"--set {text}: give one of {', '.join(choices)}")
    return value


def _value(text: str, value: str, option: Option) -> Any:
    if option.choices:
        return _one_of(text, value, option.choices)
    if option.kind is bool:
        return _one_of(text, value.lower(), ("true", "false")) == "true"
    number = option_type(option)
    if number is None:
        return option.kind(value)
    try:
        return number.convert(value, None, None)
    except click.BadParameter as error:
        why = error.message.removeprefix(f"{value}: ").rstrip(".")
        raise UsageError(f"--set {text}: {why}") from None
