"""The proof that the iteration stops at these scores."""

from gunrock_cli.primitives.certificates.products import IterationCertificate
from gunrock_cli.primitives.salsa import PRIMITIVE

CERTIFICATE = IterationCertificate(PRIMITIVE.name, PRIMITIVE.check)
