"""The proof that the iteration stops at these hubs and authorities."""

from gunrock_cli.primitives.certificates.products import IterationCertificate
from gunrock_cli.primitives.hits import PRIMITIVE

CERTIFICATE = IterationCertificate(PRIMITIVE.name, PRIMITIVE.check)
