"""The effect of each choice: one primitive, one graph, one option changed at a time.

The primitive decides which options are compared, with which values and under which heading
(``Option.compared``, ``panel``, ``under`` and ``Frontier.advance_under`` in primitives/frontier.py). Here
they become panels of variants, each of which is measured once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gunrock_cli.bench.records.record import Record
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.jsontypes import Scalar
from gunrock_cli.operators.advance import AUTO
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.resolve import planned
from gunrock_cli.primitives.run_options import RUN_OPTIONS, RunOptions
from gunrock_cli.primitives.variant import Variant as Planned

RUN_AXES = {option.key: option for option in RUN_OPTIONS if option.kind is str}
"""The options of every run that may be set besides the primitive's own."""


Values = Mapping[str, Any]
"""Options by key."""
Configuration = tuple[Values, Values]
"""The primitive's own options, and the run's."""


@dataclass(frozen=True)
class Variant:
    """One value of one option; ``options`` are all given options, with ``auto`` values unresolved."""

    axis: str
    value: Any
    options: dict[str, Scalar]

    @property
    def label(self) -> str:
        return setting(self.axis, self.value)


@dataclass
class Panel:
    """Variants under one heading."""

    title: str
    variants: list[Variant] = field(default_factory=list)


@dataclass(frozen=True)
class Row:
    """A variant and its result: a record, or why its options do not go together."""

    panel: str
    variant: Variant
    record: Record | None
    refusal: str = ""


def setting(key: str, value: Any) -> str:
    return f"{key}={value if isinstance(value, str) else json.dumps(value)}"


def base_options(primitive: Primitive, given: Mapping[str, Any]) -> dict[str, Scalar]:
    """All options of a run, the primitive's and ``RUN_AXES``: defaults and given values."""
    own = {option.key: option.default for option in primitive.options}
    every = {key: option.default for key, option in RUN_AXES.items()}
    return {**every, **own, **given}


def panels(primitive: Primitive, given: Mapping[str, Any]) -> list[Panel]:
    """The primitive's panels, in the order of the papers' figure, with loops at the end."""
    base = base_options(primitive, given)
    found: dict[str, Panel] = {}

    def add(title: str, key: str, values: tuple[Any, ...], under: Mapping[str, Any]) -> None:
        panel = found.setdefault(title, Panel(title))
        panel.variants += [
            Variant(key, value, {**base, **under, **given, key: value}) for value in values
        ]

    if primitive.frontier.advance_under is not None:
        mode = RUN_AXES["advance_mode"]
        add(title_of(mode), mode.key, mode.compared, primitive.frontier.advance_under)
    for option in primitive.options:
        if option.compared:
            add(title_of(option), option.key, option.compared, option.under)
    loop = RUN_AXES["loop"]
    add(title_of(loop), loop.key, loop.choices, {})
    return list(found.values())


def title_of(option: Option) -> str:
    return option.panel or option.name.replace("-", " ").capitalize()


class Ablation:
    """The default and every variant; equal configurations are measured once, and all together.

    ``measure`` takes the primitive's own options and the run's, of each configuration, the default first,
    and returns a record for each.
    """

    def __init__(
        self,
        primitive: Primitive,
        graph: Graph,
        given: Mapping[str, Any],
        measure: Callable[[list[Configuration]], Sequence[Record]],
    ) -> None:
        self.primitive = primitive
        self.graph = graph
        self.panels = [panel for panel in panels(primitive, given) if self._has_effect(panel)]
        self.base = base_options(primitive, given)
        self._measure = measure
        self._default = self.resolve(self.base)

    def resolve(self, options: Values) -> dict[str, Scalar]:
        """The options that a record will hold (for an advance that is not called, the defaults);
        UsageError if they contradict each other."""
        _, axes = self.split(options)
        chosen = self.planned(options).options.recorded()
        return {**axes, "advance_mode": axes["advance_mode"] or AUTO, **chosen}

    def planned(self, options: Values) -> Planned[Any]:
        """The primitive's variant for these options."""
        own, axes = self.split(options)
        return planned(self.primitive, self.graph, self.primitive.asked(own), RunOptions(**axes))

    def _has_effect(self, panel: Panel) -> bool:
        """False if the panel compares modes of an advance that this backend never calls."""
        if any(variant.axis != "advance_mode" for variant in panel.variants):
            return True
        for variant in panel.variants:
            with suppress(UsageError):
                self.resolve(variant.options)
                return True
        return False

    def is_default(self, variant: Variant) -> bool:
        return self.resolve(variant.options) == self._default

    def also_changed(self, variant: Variant) -> list[str]:
        """The other options in which a variant differs from the default."""
        return [
            setting(key, value)
            for key, value in self.resolve(variant.options).items()
            if key != variant.axis and self._default.get(key) != value
        ]

    @cached_property
    def configurations(self) -> dict[str, Configuration]:
        """What to measure, the default first, by what it resolves to."""
        found = {self._key(self._default): self.split(self.base)}
        for panel in self.panels:
            for variant in panel.variants:
                with suppress(UsageError):
                    key = self._key(self.resolve(variant.options))
                    found.setdefault(key, self.split(variant.options))
        return found

    @cached_property
    def _records(self) -> dict[str, Record]:
        records = self._measure(list(self.configurations.values()))
        return dict(zip(self.configurations, records, strict=True))

    def default(self) -> Record:
        return self._record(self.base)

    def rows(self) -> Iterator[Row]:
        """The rows panel by panel; no configuration twice within a panel."""
        for panel in self.panels:
            shown = set()
            for variant in panel.variants:
                try:
                    key = self._key(self.resolve(variant.options))
                except UsageError as error:
                    yield Row(panel.title, variant, None, str(error))
                    continue
                if key not in shown:
                    shown.add(key)
                    yield Row(panel.title, variant, self._record(variant.options))

    def _record(self, options: Values) -> Record:
        return self._records[self._key(self.resolve(options))]

    def split(self, options: Values) -> Configuration:
        """The primitive's own options, and the run's."""
        return self._own(options), {name: options[name] for name in RUN_AXES}

    def _own(self, options: Values) -> dict[str, Scalar]:
        return {option.key: options[option.key] for option in self.primitive.options}

    @staticmethod
    def _key(resolved: Values) -> str:
        return json.dumps(resolved, sort_keys=True)
