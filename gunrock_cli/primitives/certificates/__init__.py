"""Certificates: proofs that an answer is right, in a few passes over the edges (kernels/certificates).

A reference finds the answer another way, on the host, and takes minutes where a graph is large. A
certificate checks conditions that only the right answer meets, where the answer lies: on the GPU, or by
all cores. It shares the driver with the primitives, and none of the operators.

That of a primitive is the module of its name here, which defines ``CERTIFICATE``, and its kernel:
``kernels/certificates/NAME.cuh``, or one that several have (``products.cuh``).
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from gunrock_cli.primitives.micro import is_micro

if TYPE_CHECKING:
    from gunrock_cli.primitives.base import Primitive
    from gunrock_cli.primitives.certificates.base import Certificate

CHECKS = ("reference", "certificate", "both")
"""How an answer is checked. Where a primitive has no certificate, or what was run keeps too little to
prove it by, the reference takes its place."""


def certificate_of(primitive: Primitive) -> Certificate | None:
    """Of a primitive that ships; None where it has none."""
    if is_micro(primitive.name):
        from gunrock_cli.primitives.certificates.replay import ReplayCertificate
        from gunrock_cli.primitives.micro.base import Replay

        return ReplayCertificate(primitive) if isinstance(primitive, Replay) else None
    if primitive.kernel is not None or not Path(__file__).with_name(f"{primitive.name}.py").is_file():
        return None
    module = importlib.import_module(f"{__name__}.{primitive.name}")
    found: Certificate = module.CERTIFICATE
    return found
