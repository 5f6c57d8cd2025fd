"""Each phase of a recommendation; the ranks take a power iteration over the whole graph."""

from gunrock_cli.primitives.certificates.products import IterationCertificate
from gunrock_cli.primitives.wtf import PRIMITIVE

CERTIFICATE = IterationCertificate(PRIMITIVE.name, PRIMITIVE.check)
