"""Hubs and authorities at which the iteration stops."""

from gunrock_cli.primitives.certificates.products import IterationCertificate
from gunrock_cli.primitives.hits import PRIMITIVE

CERTIFICATE = IterationCertificate(PRIMITIVE.name, PRIMITIVE.check)
