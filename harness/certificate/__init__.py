"""The certificate: an in-toto attestation of what a run found, bound to the files that it judged, and its check."""
