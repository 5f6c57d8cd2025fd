"""``--set OPTION=VALUE``, checked against a primitive's own declarations."""

from __future__ import annotations

from typing import Any

from gunrock_cli.bench.ablation import RUN_OPTIONS
from gunrock_cli.errors import UsageError
from gunrock_cli.primitives.base import Option, Primitive


def parse_settings(primitive: Primitive, texts: tuple[str, ...]) -> dict[str, Any]:
    """Values by key, of the primitive's options and of what every run has."""
    options = {option.key: option for option in primitive.options}
    found: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        key = name.strip().lstrip("-").replace("-", "_")
        if not sign or not value:
            raise UsageError(f"--set {text}: write OPTION=VALUE")
        if key in RUN_OPTIONS:
            found[key] = _one_of(text, value.upper() if key == "advance_mode" else value,
                                 RUN_OPTIONS[key])
        elif key in options:
            found[key] = _value(text, value, options[key])
        else:
            raise UsageError(f"--set {text}: {primitive.name} has no such option (it has "
                             f"{', '.join([*RUN_OPTIONS, *options])})")
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
    try:
        number = option.kind(value)
    except ValueError:
        raise UsageError(f"--set {text}: give {option.kind.__name__}") from None
    low, high = option.minimum, option.maximum
    if (low is not None and not number >= low) or (high is not None and not number <= high):
        raise UsageError(f"--set {text}: out of range ({low} to {high})")
    return number
