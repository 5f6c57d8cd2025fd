"""Certificates: proofs that an answer is right, in a few passes over the edges (kernels/certificates).

A reference finds the answer in another way, on the host, and takes minutes on a large graph. A
certificate checks conditions that only the right answer meets, where the answer is: on the GPU, or on all
cores. It shares the driver with the primitives, but none of the operators.

A primitive's certificate is the module of the same name here, which defines ``CERTIFICATE``, and its
kernel: ``kernels/certificates/NAME.cuh``, or one that several share (``products.cuh``)."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from gunrock_cli.primitives.micro import is_micro

if TYPE_CHECKING:
    from gunrock_cli.primitives.base import Primitive
    from gunrock_cli.primitives.certificates.base import Certificate

CHECKS = ("reference", "certificate", "both")
"""The ways to check an answer. The reference takes over if a primitive has no certificate, or if the run
keeps too little to prove its answer."""


def certificate_of(primitive: Primitive) -> Certificate | None:
    """Return the certificate of a primitive that ships, or None."""
    if is_micro(primitive.name):
        from gunrock_cli.primitives.certificates.replay import ReplayCertificate
        from gunrock_cli.primitives.micro.base import Replay

        return ReplayCertificate(primitive) if isinstance(primitive, Replay) else None
    ships = type(primitive).__module__.startswith("gunrock_cli.")
    if not ships or not Path(__file__).with_name(f"{primitive.name}.py").is_file():
        return None
    module = importlib.import_module(f"{__name__}.{primitive.name}")
    found: Certificate = module.CERTIFICATE
    return found
