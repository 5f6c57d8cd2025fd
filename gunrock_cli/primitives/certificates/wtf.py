"""The proof of each phase of a recommendation; the ranks take a power iteration over the whole graph."""

from gunrock_cli.primitives.certificates.products import IterationCertificate
from gunrock_cli.primitives.wtf import PRIMITIVE
from gunrock_cli.primitives.wtf.check import check_answer

CERTIFICATE = IterationCertificate(PRIMITIVE.name, check_answer)
