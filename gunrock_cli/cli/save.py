"""Answers as files (``--save`` and the like): checked before the run, written after it, or row by row if
there are several sources."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO

from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.model.names import named
from gunrock_cli.installation import install_extra

if TYPE_CHECKING:
    from gunrock_cli.bench.protocol.runner import Measured
    from gunrock_cli.cli.asked import Files
    from gunrock_cli.primitives.base import Primitive
    from gunrock_cli.primitives.options import Options
    from gunrock_cli.primitives.shown import Outputs

SUFFIXES = (".npy", ".csv", ".parquet")
ALL = ".npz"
"""The suffix of a file that holds all outputs by name, as ``--save`` writes it."""
_CELL_BYTES = 4
"""The least that a value takes: a label or a distance in .npy; other formats take more."""


def answers_each(primitive: Primitive, sources: Sequence[int]) -> bool:
    """True if each of several sources has its own answer, rather than one for all."""
    from gunrock_cli.primitives.base import SumsSources

    return not isinstance(primitive, SumsSources) and len(set(sources)) > 1


@dataclass(frozen=True)
class Labels:
    """The vertices' names in files: ``names`` (``Graph.names``), or their numbers. Outputs whose values
    are also vertices are ``vertex_outputs``."""

    names: Any = None
    vertex_outputs: tuple[str, ...] = ()

    @classmethod
    def of(cls, graph_names: Any, primitive: Primitive) -> Labels:
        return cls(graph_names, tuple(primitive.shows.vertices))

    def vertices(self, n: int) -> Any:
        """All n of them, in order."""
        import numpy as np

        return np.arange(n) if self.names is None else self.names.array

    def values(self, output: str, values: Any) -> Any:
        """An output's values as a table has them."""
        is_named = self.names is not None and output in self.vertex_outputs
        return named(self.names, values) if is_named else values

    def map_beside(self, path: Path) -> None:
        """A NumPy file only has numbers, so write the names beside it, before it appears."""
        if self.names is not None and path.suffix in (".npy", ALL):
            from gunrock_cli.graph.sources.files.names_file import write_names

            write_names(path, self.names)


NUMBERS = Labels()
Keep = Callable[[int, "Outputs"], None]


def check_paths(files: Files, options: Options) -> None:
    """Refuse what could not be written before anything is measured."""
    from gunrock_cli.files import check_writable

    for flag, path in files.answers.items():
        if path.suffix not in SUFFIXES and (flag, path.suffix) != ("--save", ALL):
            forms = ".npy, .npz, .csv" if flag == "--save" else ".npy, .csv"
            raise UsageError(f"{path}: {flag} writes {forms} or .parquet")
        if path.suffix == ".parquet":
            _need_parquet(path)
    if "--save-predecessors" in files.answers and options.values().get("mark_pred") is False:
        raise UsageError("--save-predecessors: nothing would be recorded; add --mark-pred")
    seen: dict[Path, str] = {}
    for flag, path in files.by_flag.items():
        other = seen.setdefault(path.resolve(), flag)
        if other != flag and (path.is_file() or not path.exists()):
            raise UsageError(f"{path}: {other} and {flag} would write the same file")
        check_writable(path, append=flag == "--output", make_folder=flag == "--output")


def save(measured: Measured, answers: Mapping[str, Path], primitive: Primitive) -> None:
    """Write what was asked for, files by flag, in the form of the primitive's answer: a list of rows,
    outputs side by side, or one or several values for each vertex."""
    from gunrock_cli.primitives.shown import entries

    labels = Labels.of(measured.names, primitive)
    for flag, path in answers.items():
        labels.map_beside(path)
        rows = primitive.shows.row_columns(measured.options)
        if path.suffix == ALL:
            write_all(path, measured.outputs)
        elif flag == "--save" and rows:
            columns = {
                column: entries(name, measured.outputs, primitive.shows.places)
                for column, name in rows.items()
            }
            write_rows(path, columns, labels)
        elif flag == "--save" and primitive.shows.columns:
            columns = {name: measured.outputs[name] for name in primitive.shows.columns}
            write_columns(path, columns, labels)
        else:
            name = _output_name(flag, measured.outputs, measured.record.primitive)
            array = measured.outputs[name]
            if array.ndim == 1:
                write_array(path, name, array, labels)
            elif flag == "--save-levels":
                write_levels(path, array, labels)
            else:
                _write(path, array, dict(zip(measured.column_names, array.T, strict=True)), labels)


@contextmanager
def saving_each(
    answers: Mapping[str, Path], sources: Sequence[int], n: int, primitive: str, labels: Labels = NUMBERS
) -> Iterator[Keep]:
    """A function to call with every source and its answer for ``n`` vertices, in order: a row for each in
    the files, which are by flag. They appear if the block ends well. UsageError if the disk has no room
    for all rows."""
    from gunrock_cli.files import write_error

    for path in answers.values():
        if path.suffix == ALL:
            raise UsageError(f"{path}: .npz holds one source's outputs; save .npy, .csv or .parquet")
    _check_room(answers, len(sources), n)
    with ExitStack() as stack:
        rows = {
            flag: stack.enter_context(_rows(path, len(sources), labels)) for flag, path in answers.items()
        }

        broken: list[GunrockError] = []

        def keep(source: int, outputs: Outputs) -> None:
            for flag, add in rows.items():
                if broken:  # the runs go on, as their record does not depend on it
                    return
                try:
                    name = _output_name(flag, outputs, primitive)
                    add(source, name, outputs[name])
                except OSError as error:
                    broken.append(write_error(answers[flag], error))
                except UsageError as error:
                    broken.append(error)

        yield keep
        if broken:
            raise broken[0]
        for path in answers.values():
            labels.map_beside(path)


def write_array(path: Path, name: str, values: Any, labels: Labels = NUMBERS) -> None:
    """An answer in vertex order: the bare array as .npy, vertex and value columns otherwise. The file
    appears whole or not at all."""
    _write(path, values, {_column(name): labels.values(name, values)}, labels)


def write_all(path: Path, outputs: Outputs) -> None:
    """All outputs as they are, by name, for ``numpy.load``. The file appears whole or not at all."""
    from zipfile import ZipFile, ZipInfo

    from gunrock_cli.files import atomic_write

    with atomic_write(path) as file, ZipFile(file, "w") as archive:
        for name, values in outputs.items():
            with archive.open(ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                _npy(member, values)


def write_levels(path: Path, levels: Any, labels: Labels) -> None:
    """An answer with a row for each level: that array as .npy, else the vertex and a column for each
    level."""
    _write(path, levels, {f"level_{number}": row for number, row in enumerate(levels, start=1)}, labels)


def write_columns(path: Path, columns: Mapping[str, Any], labels: Labels) -> None:
    """An answer with several values for each vertex: as .npy an array of vertices x columns, else the
    vertex and those columns."""
    import numpy as np

    _write(path, np.column_stack(list(columns.values())), columns, labels)


def _write(path: Path, values: Any, columns: Mapping[str, Any], labels: Labels) -> None:
    import pandas as pd

    from gunrock_cli.files import atomic_write

    with atomic_write(path) as file:
        if path.suffix == ".npy":
            _npy(file, values)
            return
        frame = pd.DataFrame(dict(columns))
        frame.insert(0, "vertex", labels.vertices(len(frame)))
        if path.suffix == ".csv":
            frame.to_csv(file, index=False, mode="wb")
        else:
            frame.to_parquet(file, index=False)


def write_rows(path: Path, entries_of: Mapping[str, tuple[str, Any]], labels: Labels) -> None:
    """An answer that is a list, one row per entry; as .npy an array of records with these fields, or that
    of an output with several values per row, which has a column for each in other files. ``entries_of``
    are the columns' values, each after the name of the output that they are of. The file appears whole or
    not at all."""
    import numpy as np
    import pandas as pd

    from gunrock_cli.files import atomic_write

    columns = {column: values for column, (_, values) in entries_of.items()}
    wide = next((values for values in columns.values() if values.ndim > 1), None)
    frame = pd.DataFrame(
        {
            title: labels.values(name, part)
            for column, (name, values) in entries_of.items()
            for title, part in _by_title(column, values)
        }
    )
    with atomic_write(path) as file:
        if path.suffix == ".npy" and wide is not None:
            _npy(file, wide)
        elif path.suffix == ".npy":
            records = np.empty(len(frame), [(name, column.dtype) for name, column in columns.items()])
            for name, column in columns.items():
                records[name] = column
            _npy(file, records)
        elif path.suffix == ".csv":
            frame.to_csv(file, index=False, mode="wb")
        else:
            frame.to_parquet(file, index=False)


def _by_title(column: str, values: Any) -> list[tuple[str, Any]]:
    """The columns of an output: one, or one for each of a row's values, numbered from 0."""
    if values.ndim == 1:
        return [(column, values)]
    return [(f"{column}_{number}", part) for number, part in enumerate(values.T)]


@contextmanager
def _rows(path: Path, count: int, labels: Labels) -> Iterator[Callable[[int, str, Any], None]]:
    """Answers of ``count`` sources: as .npy an array of sources x vertices, otherwise columns source,
    vertex and value. Only one row at a time is in memory."""
    from gunrock_cli.files import atomic_write

    forms = {".npy": _array_rows, ".csv": _csv_rows, ".parquet": _parquet_rows}
    with atomic_write(path) as file, ExitStack() as stack:
        yield forms[path.suffix](file, count, stack, labels)


def _array_rows(
    file: BinaryIO, count: int, stack: ExitStack, labels: Labels
) -> Callable[[int, str, Any], None]:
    begun = False

    def add(source: int, name: str, values: Any) -> None:
        nonlocal begun
        if not begun:
            _npy_header(file, values.dtype, (count, len(values)))
        begun = True
        file.write(values.data)

    return add


def _csv_rows(
    file: BinaryIO, count: int, stack: ExitStack, labels: Labels
) -> Callable[[int, str, Any], None]:
    begun = False

    def add(source: int, name: str, values: Any) -> None:
        nonlocal begun
        _frame(source, name, values, labels).to_csv(file, index=False, mode="wb", header=not begun)
        begun = True

    return add


def _parquet_rows(
    file: BinaryIO, count: int, stack: ExitStack, labels: Labels
) -> Callable[[int, str, Any], None]:
    import pyarrow
    from pyarrow import parquet

    writer: Any = None

    def add(source: int, name: str, values: Any) -> None:
        nonlocal writer
        table = pyarrow.Table.from_pandas(_frame(source, name, values, labels), preserve_index=False)
        writer = writer or stack.enter_context(parquet.ParquetWriter(file, table.schema))
        writer.write_table(table)

    return add


def _npy(file: IO[bytes], values: Any) -> None:
    """A whole array."""
    import numpy as np

    _npy_header(file, values.dtype, values.shape)
    file.write(np.ascontiguousarray(values).data)


def _npy_header(file: IO[bytes], dtype: Any, shape: tuple[int, ...]) -> None:
    """The header before the bare values; ``np.save`` does not say why a disk refuses them."""
    from numpy.lib import format as npy

    npy.write_array_header_1_0(
        file, {"descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    )


def _frame(source: int, name: str, values: Any, labels: Labels) -> Any:
    import numpy as np
    import pandas as pd

    begins = np.full(len(values), source)
    return pd.DataFrame(
        {
            "source": begins if labels.names is None else named(labels.names, begins),
            "vertex": labels.vertices(len(values)),
            _column(name): labels.values(name, values),
        }
    )


def _check_room(paths: Mapping[str, Path], sources: int, n: int) -> None:
    """Check the room on each disk for what will be written there, as much as is known before the
    runs."""
    gib = 2.0**30
    for path in paths.values():
        if path.exists() and not path.is_file():
            continue
        room = shutil.disk_usage(path.resolve().parent).free
        needed = len(paths) * sources * n * _CELL_BYTES
        if needed > room:
            raise UsageError(
                f"{path}: the answers of {sources} sources on {n} vertices take at least "
                f"{needed / gib:.1f} GiB, and {room / gib:.1f} GiB are free there; save elsewhere, or "
                "choose fewer sources with --num-sources"
            )


def _output_name(flag: str, outputs: Mapping[str, Any], primitive: str) -> str:
    """The output that a flag asks for: the first, or the one that it names."""
    name = next(iter(outputs)) if flag == "--save" else flag.removeprefix("--save-")
    if name not in outputs:
        raise UsageError(f"{flag}: {primitive} has none")
    return name


def _column(name: str) -> str:
    """A column of predecessors or places holds one for each vertex."""
    return {"predecessors": "predecessor", "places": "place"}.get(name, name)


def _need_parquet(path: Path) -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise UsageError(f"{path}: Parquet needs pyarrow ({install_extra('parquet')})") from None
