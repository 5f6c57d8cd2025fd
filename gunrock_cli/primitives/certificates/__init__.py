"""Certificates: proofs that an answer is right, in a few passes over the edges (kernels/certificates).

A reference finds the answer another way, on the host, and takes minutes where a graph is large. A
certificate checks conditions that only the right answer meets, in the place where the answer lies: on
the GPU, or on all cores. It shares the driver with the primitives, but none of the operators.

A primitive's certificate is the module of the same name here, which defines ``CERTIFICATE``, and its
kernel: ``kernels/certificates/NAME.cuh``, or one that several share (``products.cuh``).
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.micro import is_micro

if TYPE_CHECKING:
    from gunrock_cli.primitives.base import Primitive
    from gunrock_cli.primitives.certificates.base import Certificate

CHECKS = ("reference", "certificate", "both")
"""How an answer is checked. The reference takes over where a primitive has no certificate, or where the
run keeps too little to prove its answer by."""


def certificate_of(primitive: Primitive) -> Certificate | None:
    """The certificate of a primitive that ships; None where it has none, and for a user's primitive that
    has the name of one that ships."""
    if is_micro(primitive.name):
        from gunrock_cli.primitives.certificates.replay import ReplayCertificate
        from gunrock_cli.primitives.micro.base import Replay

        return ReplayCertificate(primitive) if isinstance(primitive, Replay) else None
    if not Path(__file__).with_name(f"{primitive.name}.py").is_file():
        return None
    if primitive.name not in primitive_names() or not isinstance(
        primitive, type(get_primitive(primitive.name))
    ):
        return None
    module = importlib.import_module(f"{__name__}.{primitive.name}")
    found: Certificate = module.CERTIFICATE
    return found
