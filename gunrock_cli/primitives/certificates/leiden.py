"""The proof of the claims about connected communities."""

from __future__ import annotations

from gunrock_cli.primitives.certificates.louvain import LouvainCertificate


class LeidenCertificate(LouvainCertificate):
    name = "leiden"
    proof = "louvain"
    connected = True


CERTIFICATE = LeidenCertificate()
