"""Graphs taken out of archives: damage is reported, and blamed on the archive."""

import gzip
import io
import tarfile

import pytest

from gunrock_cli.errors import InputError
from gunrock_cli.graph.sources.downloads.unpack import unpack

CONTENT = b"%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n"


def rolled():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        entry = tarfile.TarInfo("g/g.mtx")
        entry.size = len(CONTENT)
        archive.addfile(entry, io.BytesIO(CONTENT))
    return file.getvalue()


def test_the_member_and_its_second_percent_sign(tmp_path):
    (tmp_path / "a").write_bytes(gzip.compress(rolled()))
    unpack(tmp_path / "a", "g/g.mtx", tmp_path / "g.mtx")
    assert (tmp_path / "g.mtx").read_bytes() == b"%" + CONTENT


@pytest.mark.parametrize("member", [None, "g/g.mtx"])
@pytest.mark.parametrize(
    "spoil",
    [
        lambda packed: packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:],  # the checksum
        lambda packed: packed[:-9],
        lambda packed: packed[: len(packed) // 2],
    ],
)
def test_damage_is_the_archives(tmp_path, member, spoil):
    (tmp_path / "a").write_bytes(spoil(gzip.compress(rolled())))
    with pytest.raises(InputError, match=r"a: the archive is damaged: ") as caught:
        unpack(tmp_path / "a", member, tmp_path / "g.mtx")
    assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
