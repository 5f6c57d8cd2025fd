"""The proof that the iteration stops at these ranks."""

from gunrock_cli.primitives.certificates.products import IterationCertificate
from gunrock_cli.primitives.ppr import PRIMITIVE
from gunrock_cli.primitives.ppr.check import check_answer

CERTIFICATE = IterationCertificate(PRIMITIVE.name, check_answer)
